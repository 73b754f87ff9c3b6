#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/answers/run_batch.hpp"
#include "sim/answers/run_point.hpp"
#include "sim/config/load_run.hpp"
#include "sim/simulation/plan_space.hpp"
#include "sim/training/run_estimate.hpp"
#include "sim/training/run_limit.hpp"
#include "sim/training/stated_run.hpp"

namespace tofn {
inline namespace answers {

/// A run of a model on each of several numbers of accelerators.
struct JobRequest {
  const StatedRun& run;
  const Cluster& cluster;
  const KernelProfile& profile;
  std::vector<int> sizes;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;
  PlanSpace space = PlanSpace::Default;
  Overrun overrun = no_overrun;  ///< of whole runs; not applied to a single step
  /// If true and the batch is chosen, a batch above the default one trains the extra samples that
  /// it needs to reach the same loss; otherwise the run trains the requested samples.
  bool holds_loss = false;
  std::vector<RunLimit> limits{};       ///< the answer states the chance that each holds
  std::uint64_t seed = default_seed;    ///< of the samples that ranges are made of
  std::optional<Plan> observed_plan{};  ///< of a measured step; runs of its size and batch keep it

  const Model& model() const { return run.phases.front().model; }
};

/// Returns the phase that a step of `batch` samples on `accelerators` belongs to: one with that
/// batch, else one that can use so many accelerators; of several, the one that trains most.
/// InputError if every phase takes fewer accelerators.
const RunPhase& measured_phase(const StatedRun&, int accelerators, double batch);

/// Predicts the run on one number of accelerators. If no batch is stated, takes the one that
/// reaches the same loss soonest. InputError, with the name of the phase, if it cannot run there.
RunPoint job_point(const JobRequest&, int accelerators);

/// Predicts the run with words on a batch nearby that splits better; a size on which it cannot run
/// is skipped.
RunPoint answered_point(const JobRequest&, int accelerators);

/// Estimates each phase by itself; empty if the size was skipped.
std::vector<RunEstimate> phase_estimates(const RunPoint&);
/// Name of a phase; `phase 2` if it has none.
std::string phase_name(const StatedRun&, std::size_t index);

}  // namespace answers
}  // namespace tofn
