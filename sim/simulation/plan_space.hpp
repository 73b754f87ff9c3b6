#pragma once

#include <array>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "sim/cluster/cluster.hpp"
#include "sim/core/quantity.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// What is chosen from. Usual: tp within a scale-up domain and with sequence parallelism, pp, cp
/// where samples are long, ep, chunks; optimizers sharded, or without a pipeline also gradients, or
/// parameters as well; recomputation; micro-batches of 1 to 16 samples. Schedules and overlaps are
/// the stack's. All: also every schedule, whole optimizers, shards within a domain, whole experts,
/// and what can overlap does.
enum class PlanSpace { Usual, All };
inline constexpr std::array<std::pair<std::string_view, PlanSpace>, 2> plan_spaces{
    {{"usual", PlanSpace::Usual}, {"all", PlanSpace::All}}};

inline constexpr Seconds nothing_to_beat{std::numeric_limits<double>::infinity()};

/// A job whose plan is to be chosen.
struct PlanSearch {
  const Model& model;
  const Cluster& cluster;
  const KernelProfile& profile;
  int accelerators = 1;
  double global_batch = 1;
  Plan asked{};  ///< what of it is fixed holds
  /// Whether that row of `visit_plan`, or `micro_batch` or `gradient_accumulation`, is not to be
  /// chosen, by its name; none is where absent.
  std::function<bool(std::string_view name)> is_fixed{};
  PlanSpace space = PlanSpace::Usual;
  /// What a step has to be shorter than: plans that cannot be are passed over.
  Seconds to_beat = nothing_to_beat;
};

/// Calls `visit(plan, split)` with each plan of the space that keeps the rules of the model
/// (`limits`). Plans of one split, by its number, are neighbours that differ in what they compute
/// again, the least first.
void visit_plans(const PlanSearch&, const PlanLimits&,
                 const std::function<void(const Plan&, int split)>& visit);

}  // namespace simulation
}  // namespace tofn
