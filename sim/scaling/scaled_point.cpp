#include "sim/scaling/scaled_point.hpp"

#include <algorithm>

#include "sim/memory/fitting.hpp"

namespace tofn {
namespace {

Seconds part(const StepTimes& times, StepPart which) {
  return times.parts[static_cast<std::size_t>(which)];
}

std::vector<ScalingPoint> points_of(std::span<const ScaledPoint> points,
                                    Seconds (*time)(const ScaledPoint&)) {
  std::vector<ScalingPoint> scaling;
  scaling.reserve(points.size());
  for (const ScaledPoint& point : points)
    scaling.push_back({.accelerators = point.accelerators, .minutes = time(point).base() / 60});
  return scaling;
}

}  // namespace

StepAccount account_of(const StepBreakdown& step) {
  return {.total = step.total().time,
          .arithmetic = step.arithmetic.time,
          .overhead = step.overhead.time,
          .optimizer = step.optimizer.time,
          .exposed = step.exposed_communication().time,
          .waiting = step.stragglers.time,
          .communication = step.communication_total.time};
}

StepAccount account_of(const StepTimes& times) {
  StepAccount account{.total = times.total,
                      .arithmetic = part(times, StepPart::Compute),
                      .overhead = part(times, StepPart::Launch),
                      .optimizer = part(times, StepPart::Optimizer),
                      .exposed = {},
                      .waiting = part(times, StepPart::Bubble) + part(times, StepPart::Imbalance),
                      .communication = times.communication};
  for (const StepPart each :
       {StepPart::Tensor, StepPart::Context, StepPart::Expert, StepPart::Pipeline, StepPart::Data})
    account.exposed += part(times, each);
  return account;
}

std::string bottleneck_of(const StepAccount& step) {
  constexpr double much = 0.3;
  const double communication = step.exposed / step.total;
  const double waiting = step.waiting / step.total;
  const double busy = (step.arithmetic + step.optimizer) / step.total;
  const std::string name(bottleneck_name(communication, waiting, busy));
  return name == "mixed" && step.overhead / step.total > much ? "overhead" : name;
}

Seconds ScaledPoint::time() const {
  if (!run) return samples_without_target * seconds_per_sample();
  return run->steps * step.total + run->evaluation + run->fixed + run->score;
}

ScaledPoint scaled_point(const RunModel& model) {
  const RunBreakdown run = model.expected();
  const Plan& plan = model.description().plan;
  ScaledPoint point{.accelerators = plan.accelerators(),
                    .batch = plan.global_batch(),
                    .micro_batch = plan.micro_batch,
                    .step = account_of(run.step),
                    .run = {},
                    .seconds = {},
                    .basis = run.step.total().basis,
                    .memory = {}};
  if (run.samples == 0) return point;
  point.basis = run.total().basis;
  point.run = RunAccount{.samples = run.samples,
                         .steps = run.steps,
                         .evaluation = run.evaluation.time,
                         .fixed = run.fixed.time,
                         .score = run.score_scaling.time};
  return point;
}

ScaledPoint scaled_point(const SimulatedStep& step) {
  Bytes most;
  for (const Footprint& stage : step.memory) most = std::max(most, stage.total());
  return {.accelerators = step.plan.accelerators(),
          .batch = step.plan.global_batch(),
          .micro_batch = step.plan.micro_batch,
          .step = account_of(step.times),
          .run = {},
          .seconds = step.seconds,
          .basis = Basis::Formula,
          .memory = most / step.cluster.accelerator.memory.value};
}

std::vector<ScalingPoint> times_of(std::span<const ScaledPoint> points) {
  return points_of(points, [](const ScaledPoint& point) { return point.time(); });
}

std::vector<ScalingPoint> sample_times_of(std::span<const ScaledPoint> points) {
  return points_of(points, [](const ScaledPoint& point) {
    return samples_without_target * point.seconds_per_sample();
  });
}

}  // namespace tofn
