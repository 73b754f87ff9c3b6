#include "sim/answers/predict_answer.hpp"

#include <algorithm>

#include "sim/answers/model_run.hpp"
#include "sim/answers/workload_run.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/step_energy.hpp"

namespace tofn {
inline namespace answers {

RunPoint run_point(const RunRequest& request, int accelerators) {
  return std::visit([&](const auto& run) { return point_of(request, run, accelerators); },
                    request.of);
}

namespace {

/// Predicts one size, with words on what would suit it better; a size on which it cannot run is
/// skipped.
RunPoint answered_point(const RunRequest& request, int accelerators) {
  try {
    RunPoint point = run_point(request, accelerators);
    const auto advice = [&](const auto& run) { return advice_on(run, point); };
    add_new(point.substitutions, std::visit(advice, request.of));
    return point;
  } catch (const InputError& error) {
    return {.accelerators = accelerators, .skipped_because = error.what()};
  }
}

}  // namespace

PredictAnswer predict_answer(const RunRequest& request, const std::vector<int>& sizes) {
  PredictAnswer answer{.request = request, .points = {}};
  for (const int size : sizes) answer.points.push_back(answered_point(request, size));
  require_any(answer.points);
  return answer;
}

std::vector<ScalingPoint> scaling_points(const std::vector<RunPoint>& points) {
  std::vector<const RunPoint*> known;
  for (const RunPoint& point : points)
    if (point.estimate) known.push_back(&point);
  const bool are_runs = std::ranges::none_of(
      known, [](const RunPoint* point) { return point->estimate->is_one_step; });
  std::vector<ScalingPoint> scaling;
  for (const RunPoint* point : known) {
    const RunEstimate& run = *point->estimate;
    const double seconds = are_runs ? run.duration().base() : 1 / run.expected.samples_per_second;
    scaling.push_back({.accelerators = point->accelerators, .minutes = seconds / 60});
  }
  return scaling;
}

ScalingPoint fitting_reference(const std::vector<RunPoint>& points,
                               const std::vector<ScalingPoint>& scaling) {
  std::vector<ScalingPoint> candidates;
  for (const RunPoint* point : compared(points))
    candidates.push_back(*std::ranges::find_if(
        scaling, [&](const auto& size) { return size.accelerators == point->accelerators; }));
  return reference_point(candidates);
}

Joules energy_per_sample(const RunEstimate& estimate) {
  const MachinePower& power = estimate.expense.power;
  const SimulatedStep* step = estimate.simulated();
  const Energy of_step = step != nullptr ? energy_of(*step, power.facility_factor)
                                         : energy_of(power, activity_of(estimate.step));
  return of_step.total() / estimate.plan.global_batch();
}

}  // namespace answers
}  // namespace tofn
