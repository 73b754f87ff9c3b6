#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/memory/fitting.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace answers {

/// A run on one number of accelerators: an estimate, or why there is none.
struct RunPoint {
  int accelerators = 0;
  std::optional<RunEstimate> estimate{};
  int plans_tried = 0;                   ///< 0: the plans were stated
  bool fits = true;                      ///< every stage of every phase, as far as it is counted
  std::optional<FittingPlan> way_out{};  ///< where it does not
  /// What takes the place of what was asked for or of what the machine or its calibration lacks, a
  /// sentence each.
  std::vector<std::string> substitutions{};
  std::vector<std::string> warnings{};
  /// Simulated, with the samples that the chosen batch takes to the loss of what was asked for at
  /// the usual one; absent: it takes no more.
  std::optional<double> days_to_default_loss{};
  std::string skipped_because{};
};

/// InputError with the first reason where no point has an estimate.
void require_any(const std::vector<RunPoint>&);
/// What speedup and efficiency compare: points with an estimate that fit; where none does, all that
/// have one.
std::vector<const RunPoint*> compared(const std::vector<RunPoint>&);
/// Whether every point with an estimate holds its plan.
bool all_fit(const std::vector<RunPoint>&);

}  // namespace answers
}  // namespace tofn
