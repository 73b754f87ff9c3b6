#include "sim/scaling/scaled_point.hpp"

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

/// Account of a run. A benchmark's run lasts as long as its score, which excludes failures.
RunAccount account_of(const RunEstimate& estimate) {
  const RunFigures& f = estimate.expected;
  const double missed = f.steps * f.step_seconds - f.training_seconds;  // by a benchmark's clock
  RunAccount account{.samples = f.samples,
                     .steps = f.steps,
                     .evaluation = Seconds{f.evaluation_seconds},
                     .fixed = Seconds{f.start_up_seconds + f.input_seconds - missed},
                     .score = Seconds{f.score_scaling_seconds}};
  if (!estimate.is_scored) account.lost = Seconds{f.lost_seconds};
  return account;
}

}  // namespace

ScaledPoint scaled_point(const RunEstimate& estimate) {
  const RunFigures& f = estimate.expected;
  ScaledPoint point{.accelerators = estimate.plan.accelerators(),
                    .batch = f.samples / f.steps,
                    .micro_batch = estimate.plan.micro_batch,
                    .step = estimate.step,
                    .run = {},
                    .seconds = estimate.interval(figure_of(&RunFigures::step_seconds)),
                    .basis = estimate.is_one_step ? estimate.step_basis : estimate.basis,
                    .memory = {},
                    .substitutions = {},
                    .estimate = std::make_shared<const RunEstimate>(estimate)};
  if (estimate.memory)
    point.memory = estimate.memory->total() / estimate.cluster().accelerator.memory.value;
  if (estimate.is_one_step) return point;
  const double seconds = estimate.duration().base();
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
