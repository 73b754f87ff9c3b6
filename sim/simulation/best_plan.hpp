#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/simulation/plan_space.hpp"

namespace tofn {
inline namespace simulation {

/// How long a layer takes of one micro-batch, without data traffic, which only lengthens it.
struct LayerLength {
  Seconds forward;
  Seconds back;  ///< until the gradient of its input is handed on
  Seconds all;   ///< with weight gradients, which may run later
};

/// What a rank does with one micro-batch: plans that differ in stages, replicas or shards share it,
/// but for tied embeddings on one stage and on two.
struct RankWork {
  std::vector<LayerWork> layers;
  std::vector<LayerLength> lengths;  ///< of one of each
  Seconds sum;                       ///< of all
};

/// Those of one model on one number of accelerators, which searches at other batches share; nothing
/// where a plan does not divide the model.
struct RankWorks {
  using Key = std::tuple<int, int, int, bool, bool, bool, bool, Recompute, double>;
  std::map<Key, std::optional<RankWork>> known;
};

struct BestPlan {
  Plan plan;
  bool fits = false;  ///< else the one that misses the memory by least
  Seconds time{};     ///< of its step by the closed form, where it fits
  int tried = 0;      ///< plans that keep the rules and divide the model
};

/// The plan of the space with the shortest step by the closed form; of whole micro-batches where
/// any such plan fits. What is passed over could not have been shorter: plans whose passes
/// alone take longer than the best step, and those that compute more again than one that fits.
/// InputError where no plan keeps the rules.
BestPlan best_plan(const PlanSearch&);
BestPlan best_plan(const PlanSearch&, RankWorks&);

}  // namespace simulation
}  // namespace tofn
