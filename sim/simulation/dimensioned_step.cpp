#include "sim/simulation/dimensioned_step.hpp"

#include <utility>

#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {

DimensionedStep::DimensionedStep(const Model& model, const Cluster& cluster, const Plan& plan,
                                 const KernelProfile& kernels)
    : model_(model),
      cluster_(cluster),
      kernels_(kernels),
      plan_(plan),
      work_(step_work(model, plan, cluster, kernels)),
      times_(simulate(*work_)) {}

DimensionedStep::DimensionedStep(SimulatedStep step, const KernelProfile& kernels)
    : simulated_(std::move(step)),
      model_(simulated_->model),
      cluster_(simulated_->cluster),
      kernels_(kernels),
      plan_(simulated_->plan),
      times_(simulated_->times) {}

const SimulatedStep* DimensionedStep::simulated() const {
  if (!simulated_) simulated_ = simulate_step(model_, plan_, cluster_, kernels_);
  return &*simulated_;
}

StepTimes DimensionedStep::times(const StepPerturbation& by) const {
  if (by == StepPerturbation{}) return times_;
  return scaled(times_, simulated()->responses.factor(by));
}

Seconds DimensionedStep::forward_pass(double samples, double passes,
                                      const StepPerturbation& by) const {
  if (forward_samples_ != samples) {
    Plan plan = plan_;
    plan.micro_batch = samples;
    forward_ = timeline::forward_pass(
        samples == plan_.micro_batch ? work() : step_work(model_, plan, cluster_, kernels_));
    forward_samples_ = samples;
  }
  const double factor = by == StepPerturbation{} ? 1 : simulated()->responses.factor(by);
  return factor / passes * forward_.of(passes);
}

FlopsPerSecond DimensionedStep::peak() const {
  return simulated_ ? simulated_->peak()
                    : cluster_.accelerator.peak_at(requested_precision(model_, plan_));
}

Activity DimensionedStep::activity() const {
  return simulated_ ? simulated_->activity : StepSource::activity();
}

std::shared_ptr<const StepSource> DimensionedStep::on(const Cluster& cluster,
                                                      const KernelProfile& kernels) const {
  const HeterogeneousNodes nodes = simulated_ ? simulated_->heterogeneous : HeterogeneousNodes{};
  return std::make_shared<DimensionedStep>(simulate_step(model_, plan_, cluster, kernels, nodes),
                                           kernels);
}

}  // namespace simulation
}  // namespace tofn
