// Surveys of runs, for those who watch them.
#include <algorithm>
#include <span>
#include <utility>

#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

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
  survey.clock_waits = static_cast<int>(
      std::count_if(each.begin(), each.end(), [&](double one) { return one > 2 * typical; }));
}

}  // namespace

StepSurvey survey_of(const LoggedSteps& run) {
  StepSurvey survey;
  static_cast<LoggedSizes&>(survey) = run.sizes;
  survey.unknown = run.unknown;
  survey.iteration = run.iteration;
  survey.ended = run.ended;
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
