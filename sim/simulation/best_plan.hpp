#pragma once

#include <functional>
#include <string_view>

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

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
};

struct BestPlan {
  Plan plan;
  bool fits = false;  ///< else the one that misses the memory by least
  int tried = 0;      ///< plans that keep the rules and divide the model
};

/// The plan with the shortest step of those that people run: tp within a scale-up domain and with
/// sequence parallelism, pp, cp where samples are long, ep, interleaving; optimizers sharded, or
/// parameters as well without a pipeline; the least recomputation that fits; micro-batches of 1 to
/// 16 samples, whole ones where the batch allows. Steps by the closed form; plans whose arithmetic
/// alone takes longer than the best are not looked at. InputError where no plan keeps the rules.
BestPlan best_plan(const PlanSearch&);

}  // namespace simulation
}  // namespace tofn
