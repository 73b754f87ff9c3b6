#pragma once

#include <filesystem>
#include <vector>

#include "sim/cluster/link_family.hpp"

namespace tofn {
inline namespace answers {

/// Link families of `configs`/fabrics, with factors fitted anew to all tables of its calibrations.
std::vector<LinkFamily> relearned_families(const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
