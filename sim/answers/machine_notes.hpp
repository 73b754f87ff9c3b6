#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "sim/validation/machine_lint.hpp"

namespace tofn {
inline namespace answers {

/// The place of a dotted key, of which each part is there.
Location location_of(const YamlNode& root, std::string_view key);

/// `file:line:column: key: problem` of a fault.
InputError error_of(const YamlNode& root, const MachineFault&);

/// Notes on implausible figures of clusters and accelerators among these files, and of clusters
/// that sweeps among them name. A file that cannot be read gets none: who uses it says why.
std::vector<std::string> machine_notes(const std::vector<std::string>& files,
                                       const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
