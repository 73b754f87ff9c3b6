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

/// The shipped calibrations with their clusters, and a search for a table's cluster: `request`,
/// else the cluster of the calibration that has the table, else the accelerator in its name or
/// source, and of the clusters with it the one whose network they name (InfiniBand by default).
/// Points into the library.
Knowledge knowledge_of(Library&, const std::filesystem::path& configs,
                       const std::optional<std::string>& request);

/// Accelerators that a text names in whole words: one by its full name or an alias, else all with
/// that short name (`A100`: 40 and 80 GB).
std::vector<const Accelerator*> named_accelerators(const Library&, const std::string& text);

/// Distinct runs of letters and digits, in lower case.
std::set<std::string> distinct_words(const std::string& text);

/// Number of words of a cluster's name that a text has, without those of its accelerator's name.
int shared_words(const Cluster&, const std::set<std::string>& text);

}  // namespace evidence
}  // namespace tofn
