#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/cluster/link_family.hpp"

namespace tofn {
inline namespace config {

/// Mistakes are InputErrors at file, line and column.
LinkFamily load_link_family(const std::filesystem::path&);

/// Every family of `configs`/fabrics, in order of name; none where there is no such folder.
std::vector<LinkFamily> load_link_families(const std::filesystem::path& configs);

/// The family of that tier one of whose patterns is what the links are called (`switch NVLink 4, 18
/// links`, `infiniband`); one without a name where there is none.
LinkFamily family_of_links(std::span<const LinkFamily>, LinkTier, std::string_view called);

/// The text of a family's file with what was learnt of it put in the place of what it held.
std::string relearnt_text(const std::filesystem::path& file, const LinkFamily&);

}  // namespace config
}  // namespace tofn
