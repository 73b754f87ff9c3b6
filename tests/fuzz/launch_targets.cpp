#include <array>

#include "sim/launch/launch_stack.hpp"
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

/// Writes the training with every stack that can write.
void write_back(const LaunchedTraining& training) {
  for (const LaunchStack* stack : launch_stacks())
    if (stack->write != nullptr) only_input_errors([&] { write_training(training, *stack); }, "");
}

/// Reads a launch file as text, and as the training that its stack launches.
void launch(const std::string& text, const std::string& name) {
  only_input_errors(
      [&] {
        const LaunchFile read = read_launch_text(text, name);
        check_places(read);
        if (const LaunchStack* stack = launch_stack_of(read)) {
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
  for (const LaunchStack* stack : launch_stacks())
    for (const LaunchKey& each : stack->keys) {
      words.emplace_back(each.key);
      words.push_back("--" + std::string(each.key));
      if (!each.standard.empty()) words.emplace_back(each.standard);
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
