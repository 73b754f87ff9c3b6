#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/validation/formula.hpp"

namespace tofn {
inline namespace evidence {

/// The shipped calibrations with their clusters, and how a table finds its own: `asked`, else that
/// of the calibration that holds the table, else the accelerator that its name or source spells
/// and, of that one's clusters, the one whose network they name (InfiniBand where they name none).
/// Points into the library.
Knowledge knowledge_of(Library&, const std::filesystem::path& configs,
                       const std::optional<std::string>& asked);

/// Accelerators that a text spells in whole words: one by its full name or an alias, else all that
/// have the short one (`A100`: 40 and 80 GB).
std::vector<const Accelerator*> named_accelerators(const Library&, const std::string& text);

/// Runs of letters and digits, in lower case.
std::set<std::string> distinct_words(const std::string& text);

/// How many words of a cluster's name a text has, those of its accelerator's name aside.
int shared_words(const Cluster&, const std::set<std::string>& text);

}  // namespace evidence
}  // namespace tofn
