#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/launch/shell_values.hpp"

namespace tofn {
inline namespace launch {

/// A program that a script runs, with its words.
struct ShellCommand {
  std::uint32_t at = 0;
  std::vector<Glyphs> words{};
};

/// An `#SBATCH --nodes=4` line.
struct BatchOption {
  std::string key{};
  std::string value{};
  std::uint32_t at = 0;
};

/// What became of a script that was read, not run: no program is started.
struct ShellRun {
  ShellSources sources{};
  std::vector<ShellCommand> commands{};
  std::map<std::string, Glyphs, std::less<>> files{};  ///< written by `cat <<EOF > file`
  std::vector<BatchOption> batch{};
  std::vector<ShellUnknown> passed_over{};  ///< scripts that were not found
};

/// Scripts that it sources or runs are looked for from its folder and from the working folder. A
/// branch is taken by its condition; what differs between branches whose condition is not known is
/// not known. Throws InputError as parse_shell does.
ShellRun run_shell(const std::string& text, const std::filesystem::path& path);

}  // namespace launch
}  // namespace tofn
