#include "sim/app/launch_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_plan.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/launch/launch_model_yaml.hpp"
#include "sim/launch/launch_stack.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {
inline namespace app {
namespace {

/// One file made of all: a script and the JSON or the overrides that go with it.
LaunchFile read_together(const std::vector<std::string>& files) {
  LaunchFile all = read_launch_file(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    LaunchFile other = read_launch_file(files[i]);
    all.settings.insert(all.settings.end(), other.settings.begin(), other.settings.end());
    all.not_understood.insert(all.not_understood.end(), other.not_understood.begin(),
                              other.not_understood.end());
  }
  return all;
}

const LaunchStack& stack_of_file(const LaunchFile& file) {
  if (const LaunchStack* stack = launch_stack_of(file)) return *stack;
  std::vector<std::string> names;
  for (const LaunchStack* each : launch_stacks()) names.emplace_back(each->name);
  throw InputError({file.path}, "--from",
                   fmt::format("is of no launcher that is known: {}", list_text(names, "or")));
}

/// Of the command line, where it says so.
std::optional<int> asked_size(const options::variables_map& values) {
  const auto text = text_option(values, "accelerators");
  if (!text) return {};
  const auto counts = counts_of(*text, "-N");
  if (counts.size() > 1) throw InputError({}, "-N", "a launch file has one size: give one");
  return counts.front();
}

void say_not_understood(const LaunchReading& reading, const LaunchStack& stack) {
  constexpr std::size_t most = 12;
  for (std::size_t i = 0; i < std::min(most, reading.not_understood.size()); ++i) {
    const LaunchUnknown& each = reading.not_understood[i];
    say(fmt::format("{}: {}{}{}: {}", to_text(each.place), each.key, each.key.empty() ? "" : " = ",
                    shortened(each.text), each.reason));
  }
  if (reading.not_understood.size() > most)
    say(fmt::format("{} more settings are not understood ({})",
                    reading.not_understood.size() - most, stack.version));
}

/// Sets what nobody gave.
class Setter {
 public:
  explicit Setter(LaunchedOptions& launched) : launched_(launched) {}

  void set(const std::string& name, const std::string& text) {
    auto& values = launched_.values;
    const auto found = values.find(name);
    if (found != values.end() && !found->second.defaulted()) return;
    values.erase(name);
    values.insert({name, options::variable_value(text, false)});
  }
  void set_file(const std::string& name, const std::string& file, const std::string& text) {
    launched_.files.push_back(std::make_unique<TextAsFile>(file, text));
    set(name, launched_.files.back()->path());
  }

 private:
  LaunchedOptions& launched_;
};

/// `--from run.sh dgx-h100`: the first word is no job then.
void shift_words(options::variables_map& values, const char* job) {
  if (values.count(job) == 0 || values.count("cluster") > 0) return;
  const options::variable_value word = values[job];
  values.erase(job);
  values.insert({"cluster", word});
}

}  // namespace

void add_launch_file_option(options::options_description& description) {
  description.add_options()(
      "from", options::value<std::vector<std::string>>()->multitoken(),
      "a script, TOML, JSON, YAML or recipe that the training is launched with, in the place of "
      "the job; what is given here goes above it");
}

void add_emit_option(options::options_description& description) {
  std::vector<std::string_view> names;
  for (const LaunchStack* each : launch_stacks())
    if (each->write != nullptr) names.push_back(each->name);
  static const std::string help =
      fmt::format("the plan as a launch file of {}", list_text({names.begin(), names.end()}, "or"));
  description.add_options()("emit", options::value<std::string>(), help.c_str());
}

LaunchedOptions with_launch_file(const options::variables_map& asked, const char* job) {
  LaunchedOptions launched{.values = asked};
  if (asked.count("from") == 0) return launched;
  shift_words(launched.values, job);
  if (launched.values.count(job) > 0)
    throw InputError({}, "--from", "says what is trained: leave the job out");
  const auto& files = asked["from"].as<std::vector<std::string>>();
  const LaunchFile file = read_together(files);
  const LaunchStack& stack = stack_of_file(file);
  const LaunchReading reading = read_training(file, stack, asked_size(asked));
  const LaunchedTraining& training = reading.training;
  say_not_understood(reading, stack);
  if (training.model.empty() && !training.own_model)
    throw InputError({files.front()}, "--from",
                     fmt::format("names no model that is known here: `tofn step MODEL CLUSTER` "
                                 "takes the plan {}",
                                 plan_words(training.plan)));
  Setter setter(launched);
  if (training.own_model)
    setter.set_file(job, "launched.yaml", launch_model_yaml(*training.own_model));
  else
    setter.set(job, training.model);
  if (training.sequence_length)
    setter.set("sequence-length", fmt::format("{}", *training.sequence_length));
  setter.set_file("plan", "launched-plan.yaml",
                  plan_file_yaml(training.plan, "launched", files.front()));
  setter.set("accelerators", fmt::format("{}", training.plan.accelerators()));
  setter.set("batch", fmt::format("{:.0f}", training.plan.global_batch()));
  setter.set("stack", std::string(stack.stack));
  launched.values.erase("from");
  return launched;
}

std::string emitted(const options::variables_map& values, const RunFile& run, const Plan& plan,
                    int accelerators_per_node) {
  const auto name = text_option(values, "emit");
  if (!name) return {};
  const LaunchStack& stack = launch_stack_named(*name);
  const RunPhase& phase = run.phases.back();
  LaunchedTraining training{.model = phase.model.name,
                            .plan = plan,
                            .own_model = phase.model,
                            .accelerators_per_node = accelerators_per_node,
                            .sequence_length = static_cast<int>(phase.model.sequence_length)};
  const LaunchWriting written = write_training(training, stack);
  if (!written.left_out.empty())
    say(fmt::format("--emit: {} ({}) does not express {} of the plan", stack.name, stack.version,
                    list_text(written.left_out, "and")));
  return fmt::format("\n{}", written.text);
}

}  // namespace app
}  // namespace tofn
