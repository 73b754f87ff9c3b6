#include "sim/simulation/dimensioned_step.hpp"

#include <algorithm>

#include "sim/timeline/pass.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Seconds of one micro-batch on one stage, forward, with the sends to the next one.
Seconds forward_of(const StepWork& work, int stage) {
  const PipelineShape shape = shape_of(work);
  Seconds sum;
  for (int chunk = 0; chunk < shape.chunks; ++chunk) {
    const ChunkTimes& layers =
        work.stages[static_cast<std::size_t>(stage)][static_cast<std::size_t>(chunk)];
    const PassTimes pass = undisturbed(layers, PassKind::Forward, false, work.slowdown);
    const Seconds gather = work.gathers_each_micro_batch ? pass.gather : Seconds{};
    sum += work.data_overlap ? std::max(pass.length, gather) : pass.length + gather;
    const int part = traits_of(work.schedule).placement.virtual_stage(shape.stages, {stage, chunk});
    if (!work.send_overlap) sum += send_time(work, part);
  }
  return sum;
}

}  // namespace

DimensionedStep::DimensionedStep(const Model& model, const Cluster& cluster, const Plan& plan,
                                 const KernelProfile& kernels)
    : model_(model),
      cluster_(cluster),
      kernels_(kernels),
      plan_(plan),
      works_(replica_works(model, plan, cluster, kernels, {})),
      times_(simulate(works_.front().work)) {}

const StepResponses& DimensionedStep::responses() const {
  if (!responses_) responses_.emplace(model_, plan_, StepInputs{cluster_, kernels_, {}}, works_);
  return *responses_;
}

StepTimes DimensionedStep::times(const StepPerturbation& by) const {
  if (by == StepPerturbation{}) return times_;
  return scaled(times_, responses().factor(by));
}

Seconds DimensionedStep::stage_forward(double samples) const {
  if (forward_.samples == samples) return forward_.of_a_stage;
  Plan plan = plan_;
  plan.micro_batch = samples;
  const StepWork work = step_work(model_, plan, cluster_, kernels_);
  Seconds longest;
  for (int stage = 0; stage < plan_.pipeline_parallel_size; ++stage)
    longest = std::max(longest, forward_of(work, stage));
  forward_ = {.samples = samples, .of_a_stage = longest};
  return longest;
}

Seconds DimensionedStep::forward_pass(double samples, double passes,
                                      const StepPerturbation& by) const {
  const double filling = 1.0 * (plan_.pipeline_parallel_size - 1) / plan_.chunks_per_stage;
  const double factor = by == StepPerturbation{} ? 1 : responses().factor(by);
  return factor * (1 + filling / passes) * stage_forward(samples);
}

}  // namespace simulation
}  // namespace tofn
