#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sim/model/stages.hpp"
#include "sim/simulation/simulation.hpp"

namespace tofn {
inline namespace simulation {

/// What a rank of a plan holds of a model, and what that allows the plan.
struct RankLayers {
  std::vector<LayerWork> layers;
  PlanLimits limits;
};

/// Steps of one model on one cluster by one stack, under plan after plan: what a rank does of a
/// micro-batch is worked out once for all plans that differ in stages, replicas and shards alone.
/// All three must outlive it.
class PlanSteps {
 public:
  PlanSteps(const Model& model, const Cluster& cluster, const KernelProfile& profile)
      : model_(model), cluster_(cluster), profile_(profile) {}

  /// Whether the plan divides the model; the others throw InputError where it does not.
  bool divides(const Plan&);
  /// Valid until a thousand others were asked for.
  const RankLayers& layers(const Plan&);
  /// Of one micro-batch on all layers, forward and backward, without what ranks send.
  Seconds kernels(const Plan&);
  /// `step_work`, to the bit.
  StepWork work(const Plan&);

 private:
  /// Times without data-parallel traffic: none before a step asks for them.
  struct Known {
    RankLayers rank{};
    std::string refusal{};  ///< why the plan does not divide the model
    KindTimes times{};
    std::optional<Seconds> kernels{};
  };
  /// All of a plan that a rank's layers and their times depend on: its numbers, then its choices.
  using Key = std::tuple<std::array<int, 4>, double, std::array<bool, 7>, Precision, Recompute,
                         ContextExchange, CudaGraphs>;
  Key key_of(const Plan&) const;
  Known made(const Plan&) const;
  Known& known(const Plan&);
  Known& dividing(const Plan&);

  const Model& model_;
  const Cluster& cluster_;
  const KernelProfile& profile_;
  std::map<Key, Known> known_;
};

}  // namespace simulation
}  // namespace tofn
