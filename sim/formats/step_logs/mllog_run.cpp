#include "sim/formats/step_logs/mllog_run.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/text/json_members.hpp"

namespace tofn {
inline namespace formats {
namespace {

using EventJson = nlohmann::json;
constexpr std::string_view mark = ":::MLLOG";

std::optional<double> number_of(const EventJson& value) {
  double number = 0;
  if (value.is_string() && parse_number(value.get<std::string>(), number)) return number;
  if (!value.is_number() || !std::isfinite(value.get<double>())) return {};
  return value.get<double>();
}

MllogFigures figures_of(const EventJson& object) {
  MllogFigures figures;
  if (!object.is_object()) return figures;
  for (const auto& [name, value] : object.items())
    if (const auto number = number_of(value)) figures.emplace_back(name, *number);
  return figures;
}

constexpr std::array<std::pair<std::string_view, std::string MllogRun::*>, 5> text_facts{
    {{"submission_benchmark", &MllogRun::benchmark},
     {"submission_org", &MllogRun::organisation},
     {"submission_platform", &MllogRun::platform},
     {"submission_division", &MllogRun::division},
     {"submission_status", &MllogRun::submission_status}}};

/// A number that a run states, and whether the last line counts that states it, or the first one.
struct NumberFact {
  std::string_view key;
  std::optional<double> MllogRun::*number;
  bool last_counts = false;
};
constexpr std::array number_facts{
    NumberFact{"global_batch_size", &MllogRun::global_batch},
    NumberFact{"local_batch_size", &MllogRun::local_batch},
    NumberFact{"gradient_accumulation_steps", &MllogRun::gradient_accumulation},
    NumberFact{"train_samples", &MllogRun::train_samples, true},
    NumberFact{"max_sequence_length", &MllogRun::sequence_length},
    NumberFact{"trained_samples", &MllogRun::samples, true},
    NumberFact{"epoch_count", &MllogRun::epochs_requested},
    NumberFact{"opt_learning_rate_training_steps", &MllogRun::steps_requested}};

void take_facts(const MllogEvent& event, MllogRun& run) {
  for (const auto& [key, text] : text_facts)
    if (event.key == key) run.*text = event.text;
  const auto positive = event.number && *event.number > 0 ? event.number : std::nullopt;
  for (const auto& [key, number, last_counts] : number_facts)
    if (event.key == key && (last_counts || !(run.*number))) run.*number = positive;
}

/// True if `epoch_num` counts epochs or parts of one; BERT counts samples.
bool counts_epochs(double epoch) {
  constexpr double most_epochs = 10'000;
  return epoch < most_epochs;
}

std::optional<double> samples_of(const MllogMoment& moment, const MllogRun& run) {
  if (moment.samples) return moment.samples;
  if (!moment.epoch) return {};
  if (!counts_epochs(*moment.epoch)) return moment.epoch;
  if (!run.train_samples) return {};
  return *moment.epoch * *run.train_samples;
}

/// Takes the interval of a kind that ends now.
void end_interval(const MllogMoment& now, int line, const MllogRun& run, MllogIntervals& kind) {
  const auto from = std::exchange(kind.begun, {});
  if (!from) return;
  const double seconds = (now.milliseconds - from->milliseconds) * 1e-3;
  // Start and stop with the same epoch number mark a whole epoch.
  if (&kind == &run.epochs && from->epoch && from->epoch == now.epoch && run.train_samples)
    return kind.intervals.push({.seconds = seconds, .steps = 0, .line = line});
  const auto begin = samples_of(*from, run);
  const auto end = samples_of(now, run);
  if (!begin || !end || !run.global_batch) return;
  const double before = kind.furthest.value_or(*begin);
  if (*begin < before) (*end > before ? kind.overlap : kind.fall_back) = true;
  kind.furthest = std::max(before, *end);
  const double steps = (*end - *begin) / *run.global_batch;
  const double since = (*end - std::max(*begin, before)) / *run.global_batch;
  // Less than a step is an evaluation alone, or a counter that restarted.
  if (steps >= 1 && seconds > 0)
    kind.intervals.push(
        {.seconds = seconds / steps, .steps = steps, .line = line, .steps_since = since});
}

void note_samples(const std::string& key, const MllogMoment& now, MllogRun& run) {
  const auto samples = samples_of(now, run);
  if (!samples || *samples <= run.samples.value_or(0)) return;
  if (key != "eval_accuracy" && key != "block_stop" && key != "eval_stop" && key != "run_stop")
    return;
  run.samples = samples;
  run.samples_are_of_epochs = !now.samples && counts_epochs(*now.epoch);
}

void take_moment(const MllogEvent& event, int line, MllogRun& run) {
  if (!event.milliseconds) return;
  const std::string& key = event.key;
  MllogMoment now{.milliseconds = *event.milliseconds,
                  .samples = figure_named(event.metadata, "samples_count"),
                  .epoch = figure_named(event.metadata, "epoch_num")};
  if (!now.epoch && key.starts_with("epoch_")) now.epoch = event.number;
  note_samples(key, now, run);
  const bool resumes = key == "block_start" || key == "epoch_start" || key == "eval_stop";
  if (resumes && run.evaluation && run.evaluation->resumed == 0)
    run.evaluation->resumed = now.milliseconds;
  for (const MllogKind& kind : mllog_kinds) {
    if (key == kind.ends) end_interval(now, line, run, run.*kind.intervals);
    if (key == kind.begins) (run.*kind.intervals).begun = now;
  }
  if (key == "run_start") run.between_evaluations.begun = MllogMoment{now.milliseconds, 0.0, 0.0};
  if (key == "eval_start") {
    run.evaluation = MllogEvaluation{.started = now.milliseconds};
    run.losses.begun.reset();
  }
  if (key == "eval_stop" && run.evaluation) {
    run.evaluation->stopped = now.milliseconds;
    run.evaluations.push(*std::exchange(run.evaluation, {}));
  }
}

}  // namespace

std::optional<double> figure_named(const MllogFigures& figures, std::string_view name) {
  for (const auto& [each, value] : figures)
    if (each == name) return value;
  return {};
}

bool has_mllog_mark(std::string_view line) { return line.find(mark) != std::string_view::npos; }

std::optional<MllogEvent> parse_mllog(std::string_view line) {
  const std::size_t start = line.find(mark);
  if (start == std::string_view::npos) return {};
  const EventJson content = EventJson::parse(line.substr(start + mark.size()), nullptr, false);
  if (!json_at(content, "key").is_string()) return {};
  const EventJson& value = json_at(content, "value");
  const EventJson& metadata = json_at(content, "metadata");
  return MllogEvent{.key = json_text_at(content, "key"),
                    .milliseconds = number_of(json_at(content, "time_ms")),
                    .text = json_text_at(content, "value"),
                    .number = number_of(value),
                    .figures = figures_of(value),
                    .metadata = figures_of(metadata),
                    .status = json_text_at(metadata, "status")};
}

std::vector<double> MllogRun::evaluation_seconds() const {
  std::vector<double> seconds;
  for (const MllogEvaluation& each : evaluations.values())
    if (!run_stop || each.started < *run_stop)
      seconds.push_back((each.stopped - each.started) * 1e-3);
  return seconds;
}

double MllogRun::evaluating() const {
  double milliseconds = 0;
  for (const MllogEvaluation& each : evaluations.values())
    if (!run_stop || each.started < *run_stop)
      milliseconds += std::min(each.resumed, run_stop.value_or(each.resumed)) - each.started;
  return milliseconds * 1e-3;
}

void take_event(const MllogEvent& event, int line, MllogRun& run) {
  take_facts(event, run);
  if (event.milliseconds) run.latest = event.milliseconds;
  if (event.key == "init_start" && !run.init_start) run.init_start = event.milliseconds;
  if (event.key == "run_start") {
    ++run.begun;
    if (run.run_stop) run.begins_again = true;
    for (const MllogKind& kind : mllog_kinds)
      (run.*kind.intervals).furthest.reset();  // a job may resume from an earlier checkpoint
    if (!run.run_start) run.run_start = event.milliseconds;
  }
  if (event.key == "run_stop" && !run.run_stop) {
    run.run_stop = event.milliseconds;
    run.status = event.status;
    run.stop_step = figure_named(event.metadata, "step_num");
  }
  if (event.key == "tracked_stats") {
    for (const char* name : {"train_step_time", "train_step_timing in s"})
      if (const auto seconds = figure_named(event.figures, name))
        run.printed.push({.seconds = *seconds, .steps = 1, .line = line});
    if (const auto rate = figure_named(event.figures, "throughput"); rate && *rate > 0) {
      run.throughputs.push(*rate);
      if (run.throughput_line == 0) run.throughput_line = line;
    }
  }
  take_moment(event, line, run);
}

}  // namespace formats
}  // namespace tofn
