#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_source.hpp"
#include "sim/timeline/forward_pass.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// A step whose kernel times follow from the dimensions of a model.
class DimensionedStep final : public StepSource {
 public:
  /// Works out the times alone; what else a simulated step holds follows on first use. Holds
  /// references to its arguments, which must outlive it. Throws as `replica_works` does.
  DimensionedStep(const Model&, const Cluster&, const Plan&, const KernelProfile&);
  /// The stack must outlive it.
  DimensionedStep(SimulatedStep, const KernelProfile&);
  DimensionedStep(const DimensionedStep&) = delete;
  DimensionedStep& operator=(const DimensionedStep&) = delete;

  const Plan& plan() const override { return plan_; }
  const Cluster& cluster() const override { return cluster_; }
  const StepWork& work() const override { return work_ ? *work_ : simulated_->work; }
  StepTimes times(const StepPerturbation& = {}) const override;
  Seconds forward_pass(double samples, double passes, const StepPerturbation& = {}) const override;
  StepSpreads spreads() const override { return simulated()->responses.spreads(); }
  SampleWork sample_work() const override { return simulation::sample_work(model_, plan_); }
  FlopsPerSecond peak() const override;
  Activity activity() const override;
  const SimulatedStep* simulated() const override;
  std::shared_ptr<const StepSource> on(const Cluster&, const KernelProfile&) const override;

 private:
  mutable std::optional<SimulatedStep> simulated_;
  const Model& model_;
  const Cluster& cluster_;
  const KernelProfile& kernels_;
  Plan plan_;
  std::optional<StepWork> work_{};  ///< absent: that of the simulated step
  StepTimes times_;
  // Cache of the last forward pass: samples of a run request no other.
  mutable double forward_samples_ = 0;
  mutable ForwardPass forward_;
};

}  // namespace simulation
}  // namespace tofn
