#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/answers/run_batch.hpp"
#include "sim/config/load_run.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/simulation/plan_space.hpp"
#include "sim/training/job.hpp"

namespace tofn {
inline namespace answers {

/// A run of a model on each of some numbers of accelerators.
struct JobRequest {
  const RunFile& run;
  const Cluster& cluster;
  const KernelProfile& profile;
  std::vector<int> sizes;
  ExpenseOptions expenses{};
  double grid_intensity = usual_grid_intensity;
  PlanSpace space = PlanSpace::Usual;
  Overrun overrun = no_overrun;  ///< of whole runs; a step alone has none
  /// Where the batch is chosen, a larger one than the usual trains what takes it to the same loss;
  /// else what was asked for.
  bool holds_loss = false;
  std::optional<Plan> observed_plan{};  ///< of a step that was measured: runs of its size keep it

  const Model& model() const { return run.phases.front().model; }
};

/// One number of accelerators: an estimate, or why there is none.
struct JobPoint {
  int accelerators = 0;
  std::optional<JobEstimate> estimate{};
  int plans_tried = 0;                   ///< 0: the plans were stated
  bool fits = true;                      ///< the memory of every stage of every phase
  std::optional<FittingPlan> way_out{};  ///< where it does not
  /// What takes the place of what was asked for in any phase, a sentence each.
  std::vector<std::string> substitutions{};
  std::vector<std::string> warnings{};
  /// Simulated, with the samples that the chosen batch takes to the loss of what was asked for at
  /// the usual one; absent: it takes no more.
  std::optional<double> days_to_usual_loss{};
  std::string skipped_because{};
};

struct JobAnswer {
  std::vector<JobPoint> points;  ///< ascending accelerators
};

/// On so many of them. A batch that nobody stated is the one of `batches_to_try` that reaches the
/// same loss soonest. InputError where it cannot run on them, which names the phase.
JobPoint job_point(const JobRequest&, int accelerators);

/// At every size. InputError where no size can be answered.
JobAnswer job_answer(const JobRequest&);

/// Each phase of the run by itself; none of a size that was skipped.
std::vector<JobEstimate> phase_estimates(const JobPoint&);
/// Its name, else `phase 2`.
std::string phase_name(const RunFile&, std::size_t index);

}  // namespace answers
}  // namespace tofn
