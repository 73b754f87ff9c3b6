// Surveys for those who watch a job: its clock, how it ended, why steps are slow, and which are
// lost.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sim/core/statistics.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

struct KnownWarning {
  std::string_view words;
  std::string_view meaning;
  /// Checks the text after the words; null: always.
  bool (*warns)(std::string_view behind) = nullptr;
};

/// True for `:   2`, false for `:   0`.
bool is_counted(std::string_view behind) {
  const std::size_t digit = behind.find_first_not_of(": \t");
  return digit != std::string_view::npos && behind[digit] >= '1' && behind[digit] <= '9';
}

/// True for `: nan`, `=NaN`, `': nan`.
bool is_not_a_number(std::string_view behind) {
  const std::size_t at = behind.find_first_not_of("'\":= \t");
  if (at == std::string_view::npos || at == 0) return false;
  const std::string word = lower_case(behind.substr(at, 3));
  return word == "nan" || word == "inf";
}

/// True if the line contains the words, followed by what they warn of.
bool warns(const KnownWarning& known, std::string_view line) {
  for (std::size_t at = line.find(known.words); at != std::string_view::npos;
       at = line.find(known.words, at + 1))
    if (known.warns == nullptr || known.warns(line.substr(at + known.words.size()))) return true;
  return false;
}

constexpr std::string_view full_allocator =
    "memory is full: the allocator gives its cache back to the device and asks again, and steps "
    "wait (smaller micro-batches or more recomputation leave room)";
constexpr std::string_view lost_steps =
    "the optimizer left these steps out: their time is spent, and they train nothing";
constexpr std::array known_warnings{
    // The loss of any program.
    KnownWarning{"loss",
                 "the loss is no number: what follows trains nothing, so restart from a "
                 "checkpoint before it",
                 is_not_a_number},
    // Megatron-LM: training/training.py.
    KnownWarning{"number of nan iterations", lost_steps, is_counted},
    KnownWarning{"number of skipped iterations", lost_steps, is_counted},
    // DeepSpeed: runtime/fp16/fused_optimizer.py, runtime/zero/stage_1_and_2.py.
    KnownWarning{"OVERFLOW! Rank 0 Skipping step", lost_steps},
    // torchtitan: components/metrics.py.
    KnownWarning{"CUDA memory allocation retries", full_allocator},
    // DeepSpeed: runtime/zero/stage3.py.
    KnownWarning{"pytorch allocator cache flushes", full_allocator},
    // PyTorch: torch/_dynamo/convert_frame.py.
    KnownWarning{"torch._dynamo hit config.",
                 "functions were compiled anew too often, and run uncompiled from here"},
    // NVIDIA's driver, docs.nvidia.com/deploy/xid-errors.
    KnownWarning{"NVRM: Xid", "the driver saw a fault of a device or of its links"},
    KnownWarning{"ECC error", "memory of a device fails"}};

using StepRange = std::span<const LoggedStep>;

/// Times between lines of one job, each with the index of its later step.
std::vector<std::pair<ClockInterval, std::size_t>> clock_intervals(StepRange steps) {
  std::vector<std::pair<ClockInterval, std::size_t>> intervals;
  const LoggedStep* before = nullptr;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].clock || !steps[i].figures.iteration) continue;
    if (before != nullptr) intervals.emplace_back(*clock_between(*before, steps[i]), i);
    before = &steps[i];
  }
  return intervals;
}

/// Returns an interval far longer than all others, in which nobody trained: the gap between two
/// jobs of which the second continues the first.
std::optional<std::pair<ClockInterval, std::size_t>> pause_in(StepRange steps) {
  constexpr double least = 1800;  // seconds (assumed)
  constexpr double far = 20;      // multiple of the longest other (assumed)
  auto intervals = clock_intervals(steps);
  if (intervals.size() < 2) return {};
  std::partial_sort(intervals.begin(), intervals.begin() + 2, intervals.end(),
                    [](const auto& a, const auto& b) { return a.first.seconds > b.first.seconds; });
  const double longest = intervals[0].first.seconds;
  if (longest < least || longest < far * intervals[1].first.seconds) return {};
  return intervals[0];
}

/// Returns the steps of the job that printed the last one.
StepRange last_job(const LoggedSteps& run, StepSurvey& survey) {
  StepRange steps = run.steps;
  const auto cold = std::find_if(steps.rbegin(), steps.rend(),
                                 [](const LoggedStep& each) { return each.is_cold; });
  // The first step of a job is cold and gives no time until another follows.
  if (cold != steps.rend() && cold != steps.rbegin())
    steps = steps.last(static_cast<std::size_t>(cold - steps.rbegin()) + 1);
  const auto pause = pause_in(steps);
  if (!pause) return steps;
  survey.pause_seconds = pause->first.seconds;
  return steps.subspan(pause->second);
}

void survey_clock(StepRange steps, StepSurvey& survey) {
  const auto intervals = clock_intervals(steps);
  if (intervals.empty()) return;
  std::vector<double> each;
  survey.clock_seconds = survey.clock_iterations = 0;
  for (const auto& [interval, end] : intervals) {
    *survey.clock_seconds += interval.seconds;
    *survey.clock_iterations += interval.iterations;
    if (interval.iterations > 0) each.push_back(interval.seconds / interval.iterations);
  }
  if (each.empty()) return;
  const double typical = median(each);
  survey.clock_waits =
      static_cast<int>(std::ranges::count_if(each, [&](double one) { return one > 2 * typical; }));
}

}  // namespace

std::vector<LogWarning> slow_warnings(const LogText& log) {
  std::vector<LogWarning> found;
  for (const KnownWarning& known : known_warnings) {
    LogWarning warning{.meaning = std::string(known.meaning)};
    for (const LogLine& line : log.lines) {
      if (!warns(known, line.text) || warning.count++ > 0) continue;
      warning.line = line.number;
      warning.words = known.words;
    }
    if (warning.count > 0) found.push_back(std::move(warning));
  }
  return found;
}

StepSurvey survey_of(const LoggedSteps& run) {
  StepSurvey survey;
  static_cast<LoggedSizes&>(survey) = run.sizes;
  survey.unknown = run.unknown;
  survey.iteration = run.iteration;
  survey.end = run.end;
  const StepRange steps = last_job(run, survey);
  survey_clock(steps, survey);
  for (const LoggedStep& each : run.steps) {
    if (each.figures.iteration) survey.iteration = each.figures.iteration;
    if (!each.figures.iterations) continue;
    survey.iterations = each.figures.iterations;
    survey.length_from.clear();
  }
  if (run.unknown.empty())
    for (const LoggedStep& each : steps)
      if (!each.is_cold) survey.seconds.push_back(each.seconds);
  return survey;
}

}  // namespace formats
}  // namespace tofn
