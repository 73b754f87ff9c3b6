#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/diagnosis/machine_lint.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace answers {

/// Location of a dotted key, each part of which must exist.
Location location_of(const YamlNode& root, std::string_view key);

/// Error of a fault, as `file:line:column: key: problem`.
InputError error_of(const YamlNode& root, const MachineFault&);

/// Notes on implausible figures of the clusters and accelerators among these files, and of the
/// clusters that sweeps among them name. A file that cannot be read gets no note, because its
/// reader reports that.
std::vector<std::string> machine_notes(const std::vector<std::string>& files,
                                       const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
