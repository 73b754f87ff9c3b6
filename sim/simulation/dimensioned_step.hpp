#pragma once

#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_interval.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// The step of a workload whose kernel times follow from its model's dimensions. Holds references:
/// all of them must outlive it.
class DimensionedStep {
 public:
  /// InputError as `replica_works`.
  DimensionedStep(const Model&, const Cluster&, const Plan&, const KernelProfile&);

  const StepWork& work() const { return works_.front().work; }
  StepTimes times(const StepPerturbation& = {}) const;
  /// Of one of `passes` passes that only compute forward, of `samples` each, one behind the other
  /// through the pipeline.
  Seconds forward_pass(double samples, double passes, const StepPerturbation& = {}) const;
  StepSpreads spreads() const { return responses().spreads(); }

 private:
  const StepResponses& responses() const;
  Seconds stage_forward(double samples) const;

  const Model& model_;
  const Cluster& cluster_;
  const KernelProfile& kernels_;
  Plan plan_;
  std::vector<ReplicaWork> works_;
  StepTimes times_;
  mutable std::optional<StepResponses> responses_;  ///< predictions without interval need none
  struct Forward {
    double samples = 0;
    Seconds of_a_stage;  ///< the slowest one's
  };
  mutable Forward forward_;  ///< the last asked for: a run's draws ask for no other
};

}  // namespace simulation
}  // namespace tofn
