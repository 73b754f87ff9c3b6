#include "sim/formats/step_logs/step_survey.hpp"

#include <algorithm>
#include <span>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace formats {
namespace {

using StepRange = std::span<const LoggedStep>;

/// Time between two lines by their time stamps.
struct ClockInterval {
  std::size_t end = 0;  ///< index of the later step
  double seconds = 0;
  double iterations = 0;
};

std::vector<ClockInterval> clock_intervals(StepRange steps) {
  std::vector<ClockInterval> intervals;
  const LoggedStep* before = nullptr;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].clock || !steps[i].figures.iteration) continue;
    if (before != nullptr)
      intervals.push_back({.end = i,
                           .seconds = seconds_between(*before->clock, *steps[i].clock),
                           .iterations = *steps[i].figures.iteration - *before->figures.iteration});
    before = &steps[i];
  }
  return intervals;
}

/// Returns an interval far longer than all others, in which nobody trained: the gap between two
/// jobs of which the second continues the first.
std::optional<ClockInterval> pause_in(StepRange steps) {
  constexpr double least = 1800;  // seconds (assumed)
  constexpr double far = 20;      // multiple of the longest other (assumed)
  auto intervals = clock_intervals(steps);
  if (intervals.size() < 2) return {};
  std::partial_sort(intervals.begin(), intervals.begin() + 2, intervals.end(),
                    [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  if (intervals[0].seconds < least || intervals[0].seconds < far * intervals[1].seconds) return {};
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
  survey.pause_seconds = pause->seconds;
  return steps.subspan(pause->end);
}

void survey_clock(StepRange steps, StepSurvey& survey) {
  const auto intervals = clock_intervals(steps);
  if (intervals.empty()) return;
  std::vector<double> each;
  survey.clock_seconds = survey.clock_iterations = 0;
  for (const ClockInterval& interval : intervals) {
    *survey.clock_seconds += interval.seconds;
    *survey.clock_iterations += interval.iterations;
    if (interval.iterations > 0) each.push_back(interval.seconds / interval.iterations);
  }
  if (each.empty()) return;
  const double usual = median(each);
  survey.clock_waits = static_cast<int>(
      std::count_if(each.begin(), each.end(), [&](double one) { return one > 2 * usual; }));
}

}  // namespace

StepSurvey survey_of(const LoggedSteps& run, const std::string& unknown) {
  const LoggedSizes& sizes = run.sizes;
  StepSurvey survey{.accelerators = sizes.accelerators,
                    .global_batch = sizes.global_batch,
                    .tensor_parallel_size = sizes.tensor_parallel_size,
                    .pipeline_parallel_size = sizes.pipeline_parallel_size,
                    .context_parallel_size = sizes.context_parallel_size,
                    .model = sizes.model,
                    .unknown = unknown,
                    .iteration = run.iteration,
                    .iterations = sizes.iterations,
                    .length_from = sizes.iterations_key,
                    .ended = run.ended};
  const StepRange steps = last_job(run, survey);
  survey_clock(steps, survey);
  for (const LoggedStep& each : run.steps) {
    if (each.figures.iteration) survey.iteration = each.figures.iteration;
    if (!each.figures.iterations) continue;
    survey.iterations = each.figures.iterations;
    survey.length_from.clear();
  }
  if (unknown.empty())
    for (const LoggedStep& each : steps)
      if (!each.is_cold) survey.seconds.push_back(each.seconds);
  return survey;
}

}  // namespace formats
}  // namespace tofn
