#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace formats {

/// Setting of a launch file: `zero_optimization.stage` of JSON, `num-layers` of `--num-layers 96`.
struct LaunchSetting {
  std::string key{};
  /// Text of the value; the items of a list, separated by blanks; empty for a switch. `true`,
  /// `false` and `null` stand for those of YAML, JSON, TOML and Python.
  std::string value{};
  Location place{};
  bool is_list = false;  ///< `[1, 2]` of YAML, JSON, TOML and Python
};

/// Reason of a file that a launch file names and that is not in its folder.
inline constexpr std::string_view missing_file = "this file is not here";

/// Part of the file whose value the file does not tell: `$SLURM_NNODES`, a call, another file.
struct LaunchUnknown {
  std::string key{};   ///< setting that contains it; empty if none does
  std::string text{};  ///< as it stands in the file
  std::string reason{};
  Location place{};
};

/// Syntaxes of launch files.
enum class LaunchFormat { Shell, Yaml, Json, Toml, Python };

/// Contents of a file that starts a training. If a key occurs twice, the later setting counts. In a
/// script, `program` is the program that it starts, options of the process launcher begin with
/// `torchrun.`, `srun.`, ..., and words that are no option have the key `argument`.
struct LaunchFile {
  std::string path{};
  LaunchFormat format = LaunchFormat::Shell;
  std::vector<LaunchSetting> settings{};
  std::vector<LaunchUnknown> not_understood{};
  int depth = 0;  ///< number of files, each named by the one before, that led to this one
};

/// Reads a script, YAML, JSON, TOML or Python file; Python is not run. If a Python file has several
/// functions, `recipe.py:llama3_70b` names one. Files that it names are looked up in its folder.
/// Throws InputError at the place of what cannot be read, and if a script starts no training or
/// several.
LaunchFile read_launch_file(const std::string& path);

/// Reads a text as `read_launch_file` does; `path` gives its format and the folder of files that it
/// names.
LaunchFile read_launch_text(std::string_view text, const std::string& path);

/// Readers, one for each syntax, that add the settings of the text to `file`. Throw InputError.
void read_shell_settings(const std::string& text, LaunchFile& file);
void read_yaml_settings(std::string_view text, LaunchFile& file);
void read_toml_settings(std::string_view text, LaunchFile& file);
/// Reads the function or class that `name` names; if `name` is empty, the only one that sets
/// something.
void read_python_settings(std::string_view text, std::string_view name, LaunchFile& file);

/// True if an option of a script names a file of further settings.
bool names_file(std::string_view key, std::string_view name);
/// Reads a file that `file` names from its folder, and puts the settings before those of `file`.
/// False if it is not there.
bool read_named_file(const std::string& name, LaunchFile& file);

}  // namespace formats
}  // namespace tofn
