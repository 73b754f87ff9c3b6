#pragma once

#include <optional>
#include <vector>

#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_interval.hpp"
#include "sim/simulation/step_source.hpp"
#include "sim/timeline/forward_pass.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// The step of a workload whose kernel times follow from the dimensions of its model. Holds
/// references to its arguments, which must outlive it.
class DimensionedStep final : public StepSource {
 public:
  /// Throws as `replica_works` does.
  DimensionedStep(const Model&, const Cluster&, const Plan&, const KernelProfile&);

  const StepWork& work() const override { return works_.front().work; }
  StepTimes times(const StepPerturbation& = {}) const override;
  Seconds forward_pass(double samples, double passes, const StepPerturbation& = {}) const override;
  StepSpreads spreads() const override { return responses().spreads(); }
  SampleWork sample_work() const override { return simulation::sample_work(model_, plan_); }
  FlopsPerSecond peak() const override;
  std::optional<Footprint> footprint() const override;

 private:
  const StepResponses& responses() const;

  const Model& model_;
  const Cluster& cluster_;
  const KernelProfile& kernels_;
  Plan plan_;
  std::vector<ReplicaWork> works_;
  StepTimes times_;
  /// Built on first use, because predictions without an interval need none.
  mutable std::optional<StepResponses> responses_;
  // Cache of the last forward pass: samples of a run request no other.
  mutable double forward_samples_ = 0;
  mutable ForwardPass forward_;
};

}  // namespace simulation
}  // namespace tofn
