#pragma once

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "sim/cluster/cluster.hpp"
#include "sim/core/quantity.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// Set of plans to choose from. Usual: tp within a scale-up domain and with sequence parallelism,
/// pp, cp for long samples, ep, chunks; sharded optimizers, or without a pipeline also sharded
/// gradients and parameters; recomputation; micro-batches of 1 to 16 samples. Schedules and
/// overlaps are the stack's. All adds every schedule, whole optimizers, shards within a domain,
/// whole experts, and every possible overlap.
enum class PlanSpace { Default, All };
inline constexpr std::array<std::pair<std::string_view, PlanSpace>, 2> plan_spaces{
    {{"usual", PlanSpace::Default}, {"all", PlanSpace::All}}};

inline constexpr Seconds nothing_to_beat{std::numeric_limits<double>::infinity()};

/// Time that ranks plans in place of their steps, for jobs that pass their plan in other ways too.
/// It grows with the step and is no shorter. Without the step's work it is a lower bound.
using PlanRank = std::function<Seconds(const Plan&, Seconds step, const StepWork*)>;

/// A job whose plan a search chooses.
struct PlanSearch {
  const Model& model;
  const Cluster& cluster;
  const KernelProfile& profile;
  int accelerators = 1;
  double global_batch = 1;
  Plan request{};  ///< source of the fixed fields
  /// True if the search keeps the named field of `request`: a row of `visit_plan`, `micro_batch` or
  /// `gradient_accumulation`. Absent: no field is fixed.
  std::function<bool(std::string_view name)> is_fixed{};
  PlanSpace space = PlanSpace::Default;
  /// Step time to beat; plans that cannot be shorter are passed over.
  Seconds to_beat = nothing_to_beat;
  PlanRank rank{};  ///< absent: plans rank by their steps

  Seconds ranked(const Plan& plan, Seconds step, const StepWork* work = nullptr) const {
    return rank ? rank(plan, step, work) : step;
  }
};

/// Calls `visit(plan, split)` for each plan of the space that keeps the model's rules (`limits`).
/// Plans with the same number of split follow one another and differ only in recomputation, the
/// least first. Returns words on the first plan that the stack cannot run; empty if it runs all.
std::string visit_plans(const PlanSearch&, const PlanLimits&,
                        const std::function<void(const Plan&, int split)>& visit);

}  // namespace simulation
}  // namespace tofn
