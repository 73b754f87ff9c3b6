#include <array>

#include "sim/core/configs_folder.hpp"
#include "sim/formats/launchers/launch_stack.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

void check_places(const LaunchFile& read) {
  for (const LaunchSetting& setting : read.settings)
    require(setting.place.line > 0 && setting.place.column > 0, "it has a place");
  for (const LaunchUnknown& unknown : read.not_understood)
    require(!unknown.reason.empty(), "it has a reason");
}

/// Writes the training with every launcher that can write.
void write_back(const LaunchedTraining& training) {
  for (const std::string& name : written_launchers())
    only_input_errors([&] { write_training(training, launcher_named(default_configs(), name)); },
                      "");
}

/// Reads a launch file as text, and as the training that its stack launches.
void launch(const std::string& text, const std::string& name) {
  only_input_errors(
      [&] {
        const LaunchFile read = read_launch_text(text, name);
        check_places(read);
        if (const Launcher* stack = launcher_of(default_configs(), read)) {
          const LaunchReading reading = read_training(read, *stack, {64});
          require(reading.training.plan.accelerators() == 64, "as many as were asked for");
          write_back(reading.training);
          read_training(read, *stack, {});
        }
      },
      name);
}

/// Keys of all stacks, as files spell them.
std::vector<std::string> launch_words() {
  std::vector<std::string> words;
  for (const Launcher& launcher : launchers_in(default_configs()))
    for (const LaunchKey& each : launcher.keys) {
      words.push_back(each.key);
      words.push_back("--" + each.key);
      if (!each.standard.empty()) words.push_back(each.standard);
    }
  return words;
}

Target launch_target(const std::string& ending, Shape shape) {
  return {.name = "launch_" + ending,
          .reads = "launch files and pasted lines (." + ending + ")",
          .run = [name = "launch." + ending](const std::string& text) { launch(text, name); },
          .shape = shape,
          .words = launch_words};
}

}  // namespace

TargetTable launch_targets() {
  return {launch_target("sh", Shape::Bytes), launch_target("py", Shape::Bytes),
          launch_target("toml", Shape::Bytes), launch_target("yaml", Shape::Yaml),
          launch_target("json", Shape::Yaml)};
}

}  // namespace tofn::fuzz
