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

/// Time of a layer over one micro-batch, without data-parallel traffic, which only lengthens it.
struct LayerLength {
  Seconds forward;
  Seconds back;  ///< backward, until the gradient of the input is handed on
  Seconds all;   ///< both passes, with weight gradients that may run later
};
struct LayerLengths {
  std::vector<LayerLength> of_one;  ///< by kind of layer
  Seconds all;                      ///< sum over all layers
};

/// Work of a rank for one micro-batch of a model.
struct RankWork {
  std::vector<LayerWork> layers{};
  PlanLimits limits{};
  std::string refusal{};  ///< why the plan does not divide the model; otherwise empty
  KindTimes times{};      ///< of the layers; empty before a step needs them
  std::array<std::optional<LayerLengths>, 2> lengths{};  ///< weight gradients in place, and apart
  /// Layers on the virtual stages, by their number and by whether and how the plan states them.
  std::map<std::tuple<int, bool, std::vector<int>>, PlacedLayers> placed{};
};

/// Steps of one model on one cluster with one stack, for many plans. The work of ranks is computed
/// once for all plans that differ only in stages, replicas, shards or batch. Model, cluster and
/// profile must outlive it.
class PlanSteps {
 public:
  PlanSteps(const Model& model, const Cluster& cluster, const KernelProfile& profile)
      : model_(model), cluster_(cluster), profile_(profile) {}

  /// Returns the work of a rank; the reference stays valid. It has a refusal if the plan does not
  /// divide the model.
  RankWork& rank(const Plan&);
  /// Returns the work of a rank, as `rank` does. InputError if the plan does not divide the model.
  RankWork& dividing_rank(const Plan&);
  /// Returns the layer times of a rank of this plan.
  const LayerLengths& lengths(const Plan&, RankWork&) const;
  /// Returns the layers on the stages of a plan that keeps the rules, computed once.
  const PlacedLayers& placed(const Plan&, RankWork&) const;
  /// Returns exactly what the function `step_work` returns.
  StepWork work(const Plan&, RankWork&) const;

  /// Number of ranks' works stored.
  std::size_t size() const { return known_.size(); }

 private:
  /// All fields of a plan that a rank's layers and their times depend on: numbers, then choices.
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
  /// Sizes that placed the last plan on the machine, and the accelerators that it uses of a domain.
  std::array<int, 6> placed_sizes_{};
  int placed_used_ = 0;
};

}  // namespace simulation
}  // namespace tofn
