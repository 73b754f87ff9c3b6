#pragma once

#include <optional>
#include <vector>

#include "sim/answers/job_answer.hpp"
#include "sim/config/filled_plan.hpp"

namespace tofn {
inline namespace answers {

/// The plan of a phase's file at a batch, or the best one of what it leaves free.
BestPlan phase_plan(const JobRequest& asked, const RunPhase& phase, int accelerators, double batch,
                    PlanSteps& steps, Seconds to_beat = nothing_to_beat);

/// By which plan a phase runs: its batches share one.
class PhasePlans {
 public:
  /// `held`: that of the phase before, where this one's steps differ in their batch alone.
  PhasePlans(const JobRequest& asked, const RunPhase& phase, int accelerators,
             std::optional<Plan> held)
      : asked_(asked),
        phase_(phase),
        accelerators_(accelerators),
        held_(std::move(held)),
        steps_(phase.model, asked.cluster, asked.profile) {}

  /// The plan that is held, with the passes of this batch; where it does not split the batch,
  /// another one if it is free.
  Plan at(double batch);
  int tried() const { return tried_; }
  /// Batches that had another plan than the one that was held.
  const std::vector<double>& split_anew() const { return split_anew_; }

 private:
  std::optional<Plan> held_at(double batch) const;

  const JobRequest& asked_;
  const RunPhase& phase_;
  int accelerators_;
  std::optional<Plan> held_;
  PlanSteps steps_;
  int tried_ = 0;
  std::vector<double> split_anew_;
};

}  // namespace answers
}  // namespace tofn
