#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace launch {

/// What a launch file sets: `zero_optimization.stage` of JSON, `num-layers` of `--num-layers 96`.
struct LaunchSetting {
  std::string key{};
  /// The text of a value; items of a list with blanks between them; empty: a switch. `true`,
  /// `false` and `null` stand for those of YAML, JSON, TOML and Python.
  std::string value{};
  Location place{};
  bool is_list = false;  ///< `[1, 2]` of YAML, JSON, TOML and Python
};

/// What stands in the file and tells nothing by itself: `$SLURM_NNODES`, a call, a file elsewhere.
struct LaunchUnknown {
  std::string key{};   ///< the setting that it stands in, if it stands in one
  std::string text{};  ///< as it stands in the file
  std::string reason{};
  Location place{};
};

/// The syntaxes of launch files.
enum class LaunchFormat { Shell, Yaml, Json, Toml, Python };

/// A file that trainings are launched with. Where a key stands twice, the later setting counts. Of
/// a script, `program` is what it starts, options of its launcher begin with `torchrun.`, `srun.`,
/// ..., and words that are no option are `argument`.
struct LaunchFile {
  std::string path{};
  LaunchFormat format = LaunchFormat::Shell;
  std::vector<LaunchSetting> settings{};
  std::vector<LaunchUnknown> not_understood{};
  int depth = 0;  ///< how many files, each named by the one before, led to it
};

/// A script, YAML, JSON, TOML, or a Python file that is read, not run: of several functions,
/// `recipe.py:llama3_70b` names one. Files that it names are read from its folder. Throws
/// InputError with the place of what cannot be read, and where a script starts no training, or
/// several.
LaunchFile read_launch_file(const std::string& path);

/// The same of a text; `path` tells its format, and where the files lie that it names.
LaunchFile read_launch_text(std::string_view text, const std::string& path);

}  // namespace launch
}  // namespace tofn
