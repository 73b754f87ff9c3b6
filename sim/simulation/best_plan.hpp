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
#include "sim/parallelism/stated_plan.hpp"
#include "sim/simulation/plan_steps.hpp"
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

struct BestPlan {
  Plan plan;
  /// True if the plan fits the memory and its step is shorter than `to_beat`. Otherwise, if there
  /// was nothing to beat, `plan` is the one that misses the memory by least.
  bool fits = false;
  Seconds time{};  ///< of its step by events, or as the search ranks it, if it fits
  int tried = 0;   ///< number of plans that keep the rules and divide the model
};

/// Returns the plan of the space with the shortest step by events, among those that are the
/// shortest by the closed form, or the plan that ranks first (`PlanSearch::rank`). Only plans of
/// whole micro-batches count if any of them fits. Plans passed over earlier could not be shorter:
/// their passes alone take longer than the best step, or they recompute more than a plan that fits.
/// A test compares the result with that of running every plan by events. InputError if no plan
/// keeps the rules.
BestPlan best_plan(const PlanSearch&);
/// `steps`: of the same model, cluster and profile; searches at other batches and sizes share it.
BestPlan best_plan(const PlanSearch&, PlanSteps& steps);

/// Returns the plan of every command that simulates a model. Stated fields stay, and the others
/// give the shortest step that fits (`best_plan`); `tried` is 0 if all is stated. The plan gives
/// `request` and `is_fixed` of the search. InputError if the stated fields do not split the job.
BestPlan filled_plan(const StatedPlan&, PlanSearch, PlanSteps&);
BestPlan filled_plan(const StatedPlan&, const PlanSearch&);

/// Rows of `visit_plan` that the usual search chooses for this plan of the model.
std::vector<std::string_view> chosen_rows(const Plan&, const Model&);

/// True if the usual search would choose any field of the plan.
bool leaves_open(const StatedPlan&, const Model&);

/// Returns the plan with its replicas stated, by their number or by their share of the batch; tp,
/// pp and cp that are not stated become 1.
StatedPlan with_stated_replicas(StatedPlan);

}  // namespace simulation
}  // namespace tofn
