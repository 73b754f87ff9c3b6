#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/validation/formula.hpp"

namespace tofn {
inline namespace answers {

/// The shipped calibrations with their clusters, and how a table finds its own: `asked`, else that
/// of the calibration that holds the table, else the accelerator that its name or source spells
/// and, of that one's clusters, the one whose network they name (InfiniBand where they name none).
/// Points into the library.
Knowledge knowledge_of(Library&, const std::filesystem::path& configs,
                       const std::optional<std::string>& asked);

/// Clusters with the accelerator that a text spells, as the lines of a log about its devices do.
std::vector<std::string> clusters_with_named_accelerator(const Library&, const std::string& text);

}  // namespace answers
}  // namespace tofn
