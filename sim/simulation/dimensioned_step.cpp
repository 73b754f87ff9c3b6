#include "sim/simulation/dimensioned_step.hpp"

#include "sim/model/layer_work.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
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

Seconds DimensionedStep::forward_pass(double samples, double passes,
                                      const StepPerturbation& by) const {
  if (forward_samples_ != samples) {
    Plan plan = plan_;
    plan.micro_batch = samples;
    forward_ = timeline::forward_pass(step_work(model_, plan, cluster_, kernels_));
    forward_samples_ = samples;
  }
  const double factor = by == StepPerturbation{} ? 1 : responses().factor(by);
  return factor / passes * forward_.of(passes);
}

FlopsPerSecond DimensionedStep::peak() const {
  return cluster_.accelerator.peak_at(requested_precision(model_, plan_));
}

std::optional<Footprint> DimensionedStep::footprint() const {
  const auto layers = layer_work(model_, computed_plan(plan_, model_, cluster_.accelerator));
  return largest_footprint(layers, plan_, memory_profile(model_, plan_, cluster_, kernels_));
}

}  // namespace simulation
}  // namespace tofn
