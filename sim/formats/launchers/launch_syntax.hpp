#pragma once

#include <string>
#include <string_view>

#include "sim/formats/launchers/launch_file.hpp"

namespace tofn {
inline namespace formats {

/// Readers, one for each syntax, that add the settings of the text to `file`. Throw InputError.
void read_shell_settings(const std::string& text, LaunchFile& file);
void read_yaml_settings(std::string_view text, LaunchFile& file);
void read_toml_settings(std::string_view text, LaunchFile& file);
/// Reads the function or class that `name` names; if `name` is empty, the only one that sets
/// something.
void read_python_settings(std::string_view text, std::string_view name, LaunchFile& file);

/// Reads a file that `file` names from its folder, and puts the settings before those of `file`.
/// False if it is not there.
bool read_named_file(const std::string& name, LaunchFile& file);

}  // namespace formats
}  // namespace tofn
