#pragma once

#include <variant>

#include "sim/memory/footprint.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "sim/simulation/dimensioned_step.hpp"

namespace tofn {
inline namespace simulation {

/// The step of a run, whichever gives its kernel times: measured steps of the workload, or the
/// dimensions of its model (`Workload::simulated`). Workload and cluster must outlive it.
class TrainingStep {
 public:
  /// The profile is of measured steps. InputError where the plan is none of the source's, or where
  /// the job needs a network that the cluster lacks.
  TrainingStep(const Workload&, const Cluster&, const Plan&, const RunSettings&,
               const ComputeProfile&);

  const StepWork& work() const;
  StepTimes times(const StepPerturbation& = {}) const;
  /// Of one of `passes` passes that only compute forward (evaluation): `samples` per replica.
  Seconds forward_pass(double samples, double passes, const StepPerturbation& = {}) const;
  StepSpreads spreads() const;

 private:
  std::variant<CalibratedStep, DimensionedStep> source_;
};

/// The plan of a simulated step: with what the run sets of its software, at the precision of the
/// workload where it states none.
Plan simulated_plan(const Workload&, const Plan&, const RunSettings&);

/// What the fullest rank of a simulated step holds.
Footprint simulated_footprint(const Workload&, const Cluster&, const Plan&, const RunSettings&);

/// Refuses a plan that steps of the workload do not know, with what it asks for: of measured steps
/// whatever is more than data, tensor and context parallel.
void require_known_plan(const Workload&, const Plan&);

}  // namespace simulation
}  // namespace tofn
