#include "sim/scaling/scaled_point.hpp"

#include <algorithm>

#include "sim/training/benchmark_run.hpp"
#include "sim/training/job.hpp"

namespace tofn {
inline namespace scaling {
namespace {

std::vector<ScalingPoint> points_of(std::span<const ScaledPoint> points,
                                    Seconds (*time)(const ScaledPoint&)) {
  std::vector<ScalingPoint> scaling;
  scaling.reserve(points.size());
  for (const ScaledPoint& point : points)
    scaling.push_back({.accelerators = point.accelerators, .minutes = time(point).base() / 60});
  return scaling;
}

}  // namespace

Seconds ScaledPoint::time() const {
  if (!run) return samples_without_target * seconds_per_sample();
  return run->steps * step.total + run->evaluation + run->fixed + run->score + run->lost;
}

namespace {

const Accelerator& accelerator_of(const RunEstimate& estimate) {
  return estimate.benchmark ? estimate.benchmark->model.description().cluster->accelerator
                            : main_phase(*estimate.job).step.cluster.accelerator;
}

/// Account of a run. A benchmark's run lasts as long as its score, which excludes failures.
RunAccount account_of(const RunEstimate& estimate) {
  const RunFigures& f = estimate.expected;
  const double missed = f.steps * f.step_seconds - f.training_seconds;  // by a benchmark's clock
  RunAccount account{.samples = f.samples,
                     .steps = f.steps,
                     .evaluation = Seconds{f.evaluation_seconds},
                     .fixed = Seconds{f.start_up_seconds + f.input_seconds - missed},
                     .score = Seconds{f.score_scaling_seconds}};
  if (!estimate.benchmark) account.lost = Seconds{f.lost_seconds};
  return account;
}

}  // namespace

ScaledPoint scaled_point(const RunEstimate& estimate, bool has_target) {
  const RunFigures& f = estimate.expected;
  ScaledPoint point{.accelerators = estimate.plan.accelerators(),
                    .batch = f.samples / f.steps,
                    .micro_batch = estimate.plan.micro_batch,
                    .step = estimate.step,
                    .run = {},
                    .seconds = estimate.interval(figure_of(&RunFigures::step_seconds)),
                    .basis = has_target ? estimate.basis : estimate.step_basis,
                    .memory = {},
                    .substitutions = {},
                    .estimate = std::make_shared<const RunEstimate>(estimate)};
  if (estimate.memory)
    point.memory = estimate.memory->total() / accelerator_of(estimate).memory.value;
  if (!has_target) return point;
  const double seconds = estimate.benchmark ? f.score_minutes * 60 : f.seconds;
  const Interval& drawn = estimate.time.interval;  // with the overrun of the job
  point.seconds = open_where_endless({seconds * drawn.low, seconds * drawn.high}, seconds);
  point.run = account_of(estimate);
  return point;
}

std::vector<ScalingPoint> times_of(std::span<const ScaledPoint> points) {
  return points_of(points, [](const ScaledPoint& point) { return point.time(); });
}

std::vector<ScalingPoint> sample_times_of(std::span<const ScaledPoint> points) {
  return points_of(points, [](const ScaledPoint& point) {
    return samples_without_target * point.seconds_per_sample();
  });
}

}  // namespace scaling
}  // namespace tofn
