#pragma once

#include <filesystem>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/config/resolve.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {

/// The tables that ship with tofn, which calibrate it.
std::filesystem::path default_published_table(const std::filesystem::path& configs);
std::vector<ResolvedRow> shipped_rows(const std::filesystem::path& configs, Resolver&);

}  // namespace tofn
