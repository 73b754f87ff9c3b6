#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/words.hpp"
#include "sim/formats/launchers/launch_command.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Command that starts the training; commands with a launcher of several processes take precedence.
/// InputError if there is none or several.
const ShellCommand& training_command(const ShellRun& run, const LaunchFile& file) {
  std::vector<const ShellCommand*> found;
  for (const bool is_strict : {true, false}) {
    for (const ShellCommand& command : run.commands)
      if (is_strict ? starts_processes(command) : starts_training(command))
        found.push_back(&command);
    if (!found.empty()) break;
  }
  if (found.size() == 1) return *found.front();
  if (!found.empty()) {
    std::vector<int> lines;
    for (const ShellCommand* command : found)
      lines.push_back(run.sources.location(command->at).line);
    throw InputError({.file = file.path}, {},
                     fmt::format("{} commands start a training, in the lines {}: keep one of them",
                                 found.size(), fmt::join(lines, ", ")));
  }
  if (!run.passed_over.empty())
    throw InputError(run.sources.location(run.passed_over.back().at), {},
                     fmt::format("'{}' is not here, and nothing else starts a training: give that "
                                 "file",
                                 run.passed_over.back().text));
  throw InputError({.file = file.path}, {},
                   "nothing starts a training: torchrun, deepspeed, accelerate launch or python");
}

/// Place in the script from which a line and column of an assembled text came.
Location place_in_script(const Location& inside, const Glyphs& text, const ShellSources& sources) {
  std::size_t at = 0;
  for (int line = 1; line < inside.line && at < text.size(); ++at)
    line += text[at].character == '\n';
  at += static_cast<std::size_t>(std::max(inside.column - 1, 0));
  return at < text.size() ? sources.location(text[at].at) : inside;
}

/// Options whose value names a file of further settings.
constexpr std::array<std::string_view, 9> naming_keys{
    "deepspeed_config", "ds_config", "deepspeed",   "accelerate.config_file",
    "job.config_file",  "argument",  "config_file", "accelerate.deepspeed_config_file",
    "fsdp_config"};

/// Reads a here-document of JSON or YAML that the script writes for its program, and puts its
/// settings before those of the file.
void add_here_document(const Glyphs& text, const ShellRun& run, LaunchFile& file) {
  std::string known;
  for (const Glyph& glyph : text) known += glyph.unknown > 0 ? unknown_mark : glyph.character;
  LaunchFile read{.path = file.path, .format = LaunchFormat::Json};
  read_yaml_settings(known, read);
  std::vector<LaunchSetting> settings;
  for (LaunchSetting& setting : read.settings) {
    setting.place = place_in_script(setting.place, text, run.sources);
    if (setting.value.find(unknown_mark) == std::string::npos)
      settings.push_back(std::move(setting));
    else
      read.not_understood.push_back(
          {setting.key, "", "a variable that is not known stands in it", setting.place});
  }
  file.settings.insert(file.settings.begin(), settings.begin(), settings.end());
  file.not_understood.insert(file.not_understood.end(), read.not_understood.begin(),
                             read.not_understood.end());
}

/// Adds the settings of named files. If the folder of a path is not known, looks for the file
/// beside the script.
void add_named_files(const ShellRun& run, LaunchFile& file) {
  const std::vector<LaunchSetting> settings = file.settings;
  for (const LaunchSetting& setting : settings) {
    if (!names_file(setting.key, setting.value)) continue;
    if (const auto written = run.files.find(setting.value); written != run.files.end())
      add_here_document(written->second, run, file);
    else if (!read_named_file(setting.value, file))
      file.not_understood.push_back(
          {setting.key, setting.value, std::string(missing_file), setting.place});
  }
  const std::vector<LaunchUnknown> unknowns = file.not_understood;
  for (const LaunchUnknown& unknown : unknowns)
    if (names_file(unknown.key, unknown.text) && unknown.reason != missing_file &&
        read_named_file(std::string(base_name(unknown.text)), file))
      std::erase_if(file.not_understood, [&](const LaunchUnknown& each) {
        return each.key == unknown.key && each.text == unknown.text;
      });
}

}  // namespace

bool names_file(std::string_view key, std::string_view name) {
  if (!is_any_of(key, naming_keys)) return false;
  return name.ends_with(".json") || name.ends_with(".yaml") || name.ends_with(".yml") ||
         name.ends_with(".toml");
}

void read_shell_settings(const std::string& text, LaunchFile& file) {
  const ShellRun run = run_shell(text, file.path);
  const ShellCommand& command = training_command(run, file);
  for (const BatchOption& option : run.batch)
    file.settings.push_back(
        {"sbatch." + option.key, option.value, run.sources.location(option.at)});
  add_command_settings(command, run.sources, file);
  add_named_files(run, file);
}

}  // namespace formats
}  // namespace tofn
