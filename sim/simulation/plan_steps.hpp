#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sim/model/stages.hpp"
#include "sim/simulation/simulation.hpp"

namespace tofn {
inline namespace simulation {

/// How long a layer takes of one micro-batch, without data traffic, which only lengthens it.
struct LayerLength {
  Seconds forward;
  Seconds back;  ///< until the gradient of its input is handed on
  Seconds all;   ///< with weight gradients, which may run later
};
struct LayerLengths {
  std::vector<LayerLength> of_one;  ///< of each kind of layer
  Seconds all;                      ///< of all layers
};

/// What a rank does of a model with one micro-batch.
struct RankWork {
  std::vector<LayerWork> layers{};
  PlanLimits limits{};
  std::string refusal{};  ///< why the plan does not divide the model; else empty
  KindTimes times{};      ///< of the layers; none before a step asks for them
  std::array<std::optional<LayerLengths>, 2> lengths{};  ///< weight gradients: in place, and apart
  /// On so many virtual stages, as the plan states them or spreads them.
  std::map<std::tuple<int, bool, std::vector<int>>, PlacedLayers> placed{};
};

/// Steps of one model on one cluster by one stack, under plan after plan: what ranks do is worked
/// out once for all plans that differ in stages, replicas, shards or batch alone. All three must
/// outlive it.
class PlanSteps {
 public:
  PlanSteps(const Model& model, const Cluster& cluster, const KernelProfile& profile)
      : model_(model), cluster_(cluster), profile_(profile) {}

  /// Stays where it is. Has a refusal where the plan does not divide the model.
  RankWork& rank(const Plan&);
  /// Likewise; InputError where the plan does not divide the model.
  RankWork& dividing_rank(const Plan&);
  /// Of a rank of that plan.
  const LayerLengths& lengths(const Plan&, RankWork&) const;
  /// Likewise; of a plan that keeps the rules.
  const PlacedLayers& placed(const Plan&, RankWork&) const;
  /// `step_work`, to the bit.
  StepWork work(const Plan&, RankWork&) const;

  /// How many ranks it keeps.
  std::size_t size() const { return known_.size(); }

 private:
  /// All of a plan that a rank's layers and their times depend on: its numbers, then its choices.
  using Key = std::tuple<std::array<int, 9>, double, std::array<bool, 11>, Precision, Recompute,
                         ContextExchange, CudaGraphs>;
  struct Hash {
    std::size_t operator()(const Key&) const;
  };
  Key key_of(const Plan&);
  int used_of_domain(const Plan&);
  RankWork made(const Plan&) const;

  const Model& model_;
  const Cluster& cluster_;
  const KernelProfile& profile_;
  std::unordered_map<Key, RankWork, Hash> known_;
  /// All that the last plan's place on the machine came from, and what it uses of a domain.
  std::array<int, 6> placed_sizes_{};
  int placed_used_ = 0;
};

}  // namespace simulation
}  // namespace tofn
