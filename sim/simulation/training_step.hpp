#pragma once

#include <variant>

#include "sim/memory/footprint.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "sim/simulation/dimensioned_step.hpp"

namespace tofn {
inline namespace simulation {

/// The step of a run, with kernel times from measured steps of the workload or from the dimensions
/// of its model (`Workload::simulated`). Workload and cluster must outlive it.
class TrainingStep {
 public:
  /// `ComputeProfile` is fitted to measured steps. InputError if the source does not support the
  /// plan, or if the job needs a network that the cluster lacks.
  TrainingStep(const Workload&, const Cluster&, const Plan&, const RunSettings&,
               const ComputeProfile&);

  const StepWork& work() const;
  StepTimes times(const StepPerturbation& = {}) const;
  /// Time per pass of `passes` forward-only passes (evaluation) of `samples` per replica.
  Seconds forward_pass(double samples, double passes, const StepPerturbation& = {}) const;
  StepSpreads spreads() const;

 private:
  std::variant<CalibratedStep, DimensionedStep> source_;
};

/// Plan of a simulated step with the run's software settings, at the workload's precision if it
/// states none.
Plan simulated_plan(const Workload&, const Plan&, const RunSettings&);

/// Footprint of the most loaded rank of a simulated step.
Footprint simulated_footprint(const Workload&, const Cluster&, const Plan&, const RunSettings&);

/// InputError that names the feature if steps of the workload do not support the plan; measured
/// steps support only data, tensor and context parallelism.
void require_known_plan(const Workload&, const Plan&);

}  // namespace simulation
}  // namespace tofn
