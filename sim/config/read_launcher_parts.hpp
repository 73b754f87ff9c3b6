#pragma once

#include <vector>

#include "sim/config/field_rows.hpp"
#include "sim/config/load_launcher.hpp"
#include "sim/config/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// Reads the map `keys` of a launcher: a row a key, in the order of the file.
std::vector<LaunchKey> read_launch_keys(const YamlNode&);

/// Reads the map `choices`, by key, into those keys. A word of a key that sets a row of a plan
/// stands for a value of that row; of another key it has a map of rows, or is an item of a list.
void read_launch_choices(const YamlNode&, std::vector<LaunchKey>&);

/// InputError where a text sets a row of a plan, and no choices say which word is which value.
void require_launch_words(const YamlNode& root, const std::vector<LaunchKey>&);

/// Lists the keys of a row of `keys`.
void list_launch_key_rows(FieldLister&);

}  // namespace config
}  // namespace tofn
