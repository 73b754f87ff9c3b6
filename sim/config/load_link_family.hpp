#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/cluster/link_family.hpp"

namespace tofn {
inline namespace config {

/// Reads a family of links. Mistakes are InputErrors with file, line and column.
LinkFamily load_link_family(const std::filesystem::path&);

/// Returns the families of `configs`/fabrics in order of file name; empty if the folder does not
/// exist.
std::vector<LinkFamily> load_link_families(const std::filesystem::path& configs);

/// Returns the family of that tier with a pattern that matches the links' name (`switch NVLink 4,
/// 18 links`, `infiniband`); a family without a name if none matches.
LinkFamily family_of_links(std::span<const LinkFamily>, LinkTier, std::string_view called);

/// Returns the text of a family's file with its fitted values replaced.
std::string relearned_text(const std::filesystem::path& file, const LinkFamily&);

}  // namespace config
}  // namespace tofn
