#pragma once

#include <vector>

#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/yaml/field_rows.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace formats {

/// Reads the map `keys` of a launcher into one row per key, in the order of the file.
std::vector<LaunchKey> read_launch_keys(const YamlNode&);

/// Reads the map `choices`, by key, into those keys. If a key sets a row of a plan, each word maps
/// to a value of that row; otherwise it maps to several rows, or is an item of a list.
void read_launch_choices(const YamlNode&, std::vector<LaunchKey>&);

/// InputError if a text sets a row of a plan, and no choices map its words to values.
void require_launch_words(const YamlNode& root, const std::vector<LaunchKey>&);

/// Lists the keys of a row of `keys`.
void list_launch_key_rows(FieldLister&);

}  // namespace formats
}  // namespace tofn
