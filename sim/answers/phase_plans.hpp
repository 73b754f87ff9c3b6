#pragma once

#include <optional>
#include <vector>

#include "sim/answers/model_run.hpp"
#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace answers {

/// Returns the plan of a phase's file at a batch, with its open fields chosen for the shortest
/// step.
BestPlan phase_plan(const ModelRun& request, const RunPhase& phase, int accelerators, double batch,
                    PlanSteps& steps, Seconds to_beat = nothing_to_beat);

/// Chooses the plan of a phase, which all its batches share.
class PhasePlans {
 public:
  /// `held`: plan of the previous phase, if this phase's steps differ only in their batch.
  PhasePlans(const ModelRun& request, const RunPhase& phase, int accelerators,
             std::optional<Plan> held)
      : request_(request),
        phase_(phase),
        accelerators_(accelerators),
        held_(std::move(held)),
        steps_(phase.model, request.cluster, request.stack) {}

  /// Returns the shared plan with the passes of this batch. If it does not split the batch, chooses
  /// another one, which needs open fields in the plan.
  Plan at(double batch);
  int tried() const { return tried_; }
  /// Batches that got another plan than the shared one.
  const std::vector<double>& split_anew() const { return split_anew_; }

 private:
  std::optional<Plan> held_at(double batch) const;

  const ModelRun& request_;
  const RunPhase& phase_;
  int accelerators_;
  std::optional<Plan> held_;
  PlanSteps steps_;
  int tried_ = 0;
  std::vector<double> split_anew_;
};

}  // namespace answers
}  // namespace tofn
