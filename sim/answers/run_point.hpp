#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/memory/fitting.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace answers {

/// A run on one number of accelerators: an estimate, or the reason why there is none.
struct RunPoint {
  int accelerators = 0;
  std::optional<RunEstimate> estimate{};
  int plans_tried = 0;  ///< 0 if the plans were stated
  bool fits = true;     ///< every stage of every phase fits, as far as memory is counted
  std::optional<FittingPlan> way_out{};  ///< nearest plan that fits, if this one does not
  std::string way_out_of{};  ///< phase and size that it is the plan of, in a run of several phases
  /// Sentences on the values used in place of requested ones, or in place of ones that the machine
  /// or its calibration lacks.
  std::vector<std::string> substitutions{};
  std::vector<std::string> warnings{};
  std::vector<std::string> assumed{};  ///< figures without a source that the estimate uses
  /// Simulated days with the samples that the chosen batch needs to reach the loss of the requested
  /// samples at the default batch; absent if it needs no more.
  std::optional<double> days_to_default_loss{};
  std::string skipped_because{};
};

/// Text of why the first of `count` candidates cannot be had, which adds that the others cannot.
std::string refusal_of_all(const std::string& first, std::size_t count);

/// Text of how much memory the most loaded rank needs, in a refusal.
std::string missing_memory(Bytes held, Bytes there);

/// InputError with the reason of the first point if no point has an estimate.
void require_any(const std::vector<RunPoint>&);
/// Points that speedup and efficiency compare: those with an estimate that fit, else all with an
/// estimate.
std::vector<const RunPoint*> compared(const std::vector<RunPoint>&);
/// True if every point with an estimate fits the memory.
bool all_fit(const std::vector<RunPoint>&);
/// True if there are no limits, or if a size keeps them all in at least half of its samples.
bool may_keep(const std::vector<RunPoint>&, const std::vector<RunLimit>&);

}  // namespace answers
}  // namespace tofn
