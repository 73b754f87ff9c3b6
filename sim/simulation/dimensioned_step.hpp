#pragma once

#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_interval.hpp"
#include "sim/timeline/forward_pass.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// The step of a workload whose kernel times follow from the dimensions of its model. Holds
/// references to its arguments, which must outlive it.
class DimensionedStep {
 public:
  /// Throws as `replica_works` does.
  DimensionedStep(const Model&, const Cluster&, const Plan&, const KernelProfile&);

  const StepWork& work() const { return works_.front().work; }
  StepTimes times(const StepPerturbation& = {}) const;
  /// Time per pass of `passes` forward-only passes of `samples` each, which follow one another
  /// through the pipeline.
  Seconds forward_pass(double samples, double passes, const StepPerturbation& = {}) const;
  StepSpreads spreads() const { return responses().spreads(); }

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
