#include "sim/scaling/scaled_point.hpp"

#include <algorithm>

#include "sim/training/run.hpp"

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

ScaledPoint scaled_point(const RunModel& model) {
  const RunBreakdown run = model.expected();
  const Plan& plan = model.description().plan;
  ScaledPoint point{.accelerators = plan.accelerators(),
                    .batch = plan.global_batch(),
                    .micro_batch = plan.micro_batch,
                    .step = run.step,
                    .run = {},
                    .seconds = {},
                    .basis = run.step.cost().basis,
                    .memory = {},
                    .substitutions = substitutions(model)};
  if (run.samples == 0) return point;
  point.basis = run.total().basis;
  point.run = RunAccount{.samples = run.samples,
                         .steps = run.steps,
                         .evaluation = run.evaluation.time,
                         .fixed = run.fixed.time,
                         .score = run.score_scaling.time};
  return point;
}

ScaledPoint scaled_point(const JobEstimate& estimate, bool has_target) {
  const Job& job = estimate.job;
  const SimulatedStep& step = main_phase(job).step;
  const JobFigures& f = estimate.expected;
  ScaledPoint point{.accelerators = step.plan.accelerators(),
                    .batch = f.samples / f.steps,
                    .micro_batch = step.plan.micro_batch,
                    .step = mean_step(job),
                    .run = {},
                    .seconds = Interval{estimate.faster.step_seconds, estimate.slower.step_seconds},
                    .basis = step.times.cost().basis,
                    .memory = fullest_stage(job).total() / step.cluster.accelerator.memory.value,
                    .substitutions = step.substitutions,
                    .job = std::make_shared<const JobEstimate>(estimate)};
  if (!has_target) return point;
  const Interval& drawn = estimate.time.interval;  // with the overrun of the job
  point.seconds = Interval{f.seconds * drawn.low, f.seconds * drawn.high};
  point.run = RunAccount{.samples = f.samples,
                         .steps = f.steps,
                         .evaluation = Seconds{f.evaluation_seconds},
                         .fixed = Seconds{f.start_up_seconds + f.input_seconds},
                         .score = {},
                         .lost = Seconds{f.lost_seconds}};
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
