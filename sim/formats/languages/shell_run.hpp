#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/formats/languages/shell_values.hpp"

namespace tofn {
inline namespace formats {

/// Program that a script runs, with its words.
struct ShellCommand {
  std::uint32_t at = 0;
  std::vector<Glyphs> words{};
};

/// Option of an `#SBATCH --nodes=4` line.
struct BatchOption {
  std::string key{};
  std::string value{};
  std::uint32_t at = 0;
};

/// Outcome of a script that was read without starting any program.
struct ShellRun {
  ShellSources sources{};
  std::vector<ShellCommand> commands{};
  std::map<std::string, Glyphs, std::less<>> files{};  ///< by name, written by `cat <<EOF > file`
  std::vector<BatchOption> batch{};
  std::vector<ShellUnknown> passed_over{};  ///< scripts that were not found
};

/// Reads a script, and scripts that it sources or runs, which are looked up in its folder and in
/// the working folder. A known condition decides which branch is taken; otherwise, values that
/// differ between the branches are unknown. Throws InputError as parse_shell does.
ShellRun run_shell(const std::string& text, const std::filesystem::path& path);

}  // namespace formats
}  // namespace tofn
