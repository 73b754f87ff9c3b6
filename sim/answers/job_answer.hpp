#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/config/load_run.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/training/job.hpp"

namespace tofn {
inline namespace answers {

/// Tokens of a step where nobody says: what Llama 2, BLOOM and most models of 7 to 200 billion
/// parameters trained on took (assumed of others).
inline constexpr double usual_batch_tokens = 4e6;

/// A run of a model on each of some numbers of accelerators.
struct JobRequest {
  const RunFile& run;
  const Cluster& cluster;
  const KernelProfile& profile;
  std::vector<int> sizes;
  ExpenseOptions expenses{};
  double grid_intensity = usual_grid_intensity;

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
  std::string skipped_because{};
};

struct JobAnswer {
  std::vector<JobPoint> points;  ///< ascending accelerators
};

/// On so many of them. InputError where it cannot run on them, which names the phase.
JobPoint job_point(const JobRequest&, int accelerators);

/// At every size. InputError where no size can be answered.
JobAnswer job_answer(const JobRequest&);

/// Each phase of the run by itself; none of a size that was skipped.
std::vector<JobEstimate> phase_estimates(const JobPoint&);
/// Its name, else `phase 2`.
std::string phase_name(const RunFile&, std::size_t index);

/// What a run takes for a loss by its critical batch: stated, else by the law of language models;
/// absent: it is not known.
std::optional<Amount> critical_batch(const RunFile&);

}  // namespace answers
}  // namespace tofn
