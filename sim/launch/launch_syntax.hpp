#pragma once

#include <string>
#include <string_view>

#include "sim/launch/launch_file.hpp"

namespace tofn {
inline namespace launch {

/// The readers of each syntax: they add to `file` what the text sets. Throw InputError.
void read_shell_settings(const std::string& text, LaunchFile& file);
void read_yaml_settings(std::string_view text, LaunchFile& file);
void read_toml_settings(std::string_view text, LaunchFile& file);
/// Of the function or class that `name` names; without a name, of the only one that there is.
void read_python_settings(std::string_view text, std::string_view name, LaunchFile& file);

/// Reads a file that another names, beside it, and puts its settings before those of `file`. False
/// where it is not there.
bool read_named_file(const std::string& name, LaunchFile& file);

}  // namespace launch
}  // namespace tofn
