#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/answers/run_batch.hpp"
#include "sim/answers/run_point.hpp"
#include "sim/config/load_run.hpp"
#include "sim/simulation/plan_space.hpp"
#include "sim/training/job.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace answers {

/// A run of a model on each of some numbers of accelerators.
struct JobRequest {
  const RunFile& run;
  const Cluster& cluster;
  const KernelProfile& profile;
  std::vector<int> sizes;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;
  PlanSpace space = PlanSpace::Usual;
  Overrun overrun = no_overrun;  ///< of whole runs; a step alone has none
  /// Where the batch is chosen, a larger one than the usual trains what takes it to the same loss;
  /// else what was asked for.
  bool holds_loss = false;
  std::vector<RunLimit> limits{};       ///< that the answer tells the chance of
  std::optional<Plan> observed_plan{};  ///< of a step that was measured: runs of its size keep it

  const Model& model() const { return run.phases.front().model; }
};

struct JobAnswer {
  std::vector<RunPoint> points;  ///< ascending accelerators
};

/// The phase that a step of so many samples on so many accelerators is a step of: one of that
/// batch, else one that may have so many accelerators, and of several the one that trains most.
/// InputError where each phase takes fewer accelerators.
const RunPhase& measured_phase(const RunFile&, int accelerators, double batch);

/// On so many of them. A batch that nobody stated is the one that reaches the same loss soonest.
/// InputError where it cannot run on them, which names the phase.
RunPoint job_point(const JobRequest&, int accelerators);

/// At every size. InputError where no size can be answered.
JobAnswer job_answer(const JobRequest&);

/// Each phase of the run by itself; none of a size that was skipped.
std::vector<RunEstimate> phase_estimates(const RunPoint&);
/// Its name, else `phase 2`.
std::string phase_name(const RunFile&, std::size_t index);

}  // namespace answers
}  // namespace tofn
