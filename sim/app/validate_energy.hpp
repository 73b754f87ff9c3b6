#pragma once

#include <filesystem>

#include "sim/app/command.hpp"

namespace tofn {

/// Holds what published runs were metered to draw against predictions of time and power.
int validate_energy(const CommonOptions&, const std::filesystem::path& table);

}  // namespace tofn
