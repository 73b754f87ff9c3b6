#include "sim/training/stated_run.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/dimensioned_step.hpp"

namespace tofn {
inline namespace training {

double RunPhase::samples() const {
  return std::accumulate(stretches.begin(), stretches.end(), 0.0,
                         [](double sum, const BatchStretch& each) { return sum + each.samples; });
}

double StatedRun::samples() const {
  double sum = 0;
  for (const RunPhase& phase : phases) sum += phase.samples();
  return sum;
}

double StatedRun::tokens() const {
  double sum = 0;
  for (const RunPhase& phase : phases) sum += phase.samples() * phase.model.sequence_length;
  return sum;
}

namespace {

Evaluations evaluations_in(const StatedEvaluation& stated, const SimulatedStep& step) {
  if (!stated.every) return {};
  const Plan& plan = step.plan;
  const SampleMeasure measure{.batch = plan.global_batch(),
                              .sequence_length = step.model.sequence_length};
  return {.interval = samples_of(*stated.every, measure),
          .passes = std::ceil(samples_of(stated.takes, measure) /
                              (plan.micro_batch * plan.data_parallel_size)),
          .samples = plan.micro_batch};
}

/// Time in which the nodes read the samples of one step; 0 without a limit.
Seconds read_time(const std::optional<double>& rate, const SimulatedStep& step) {
  if (!rate) return {};
  const int nodes = step.cluster.nodes_of(placed_job(step.plan, step.cluster));
  return Seconds{step.plan.global_batch() / (nodes * *rate)};
}

}  // namespace

std::string phase_name(const StatedRun& run, std::size_t index) {
  const std::string& name = run.phases[index].name;
  return name.empty() ? "phase " + std::to_string(index + 1) : name;
}

RunStretch stretch_of(const StatedRun& run, SimulatedStep step, double samples, std::size_t part_of,
                      const KernelProfile& stack) {
  RunStretch stretch{.step = {},
                     .samples = samples,
                     .evaluations = evaluations_in(run.evaluation, step),
                     .read = read_time(run.input_rate, step),
                     .part_of = part_of};
  stretch.step = std::make_shared<const DimensionedStep>(std::move(step), stack);
  return stretch;
}

}  // namespace training
}  // namespace tofn
