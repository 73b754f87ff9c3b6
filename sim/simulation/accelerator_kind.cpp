#include "sim/simulation/accelerator_kind.hpp"

#include <array>

#include "sim/simulation/step_activity.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

Seconds busy_time(const StepTimes& stage) {
  const auto part = [&](StepPart which) { return stage.parts[static_cast<std::size_t>(which)]; };
  return stage.total - part(StepPart::Bubble) - part(StepPart::Imbalance) -
         part(StepPart::Pipeline);
}

AcceleratorKind kind_of(const Cluster& cluster, int accelerators, const ReplicaWork& work) {
  return {.cluster = cluster.name,
          .accelerator = cluster.accelerator.name,
          .accelerators = accelerators,
          .stages = {.first = 0, .end = static_cast<int>(work.work.stages.size())},
          .replicas = work.replicas,
          .micro_batches = work.work.micro_batches,
          .busy = {},
          .activity = {},
          .alone = {}};
}

}  // namespace

std::vector<AcceleratorKind> accelerator_kinds(const Model& model, const Plan& plan,
                                               const Cluster& cluster, const KernelProfile& profile,
                                               const HeterogeneousNodes& heterogeneous,
                                               const std::vector<ReplicaWork>& works) {
  const MixedNodes& mixed = *heterogeneous.mixed;
  const int others = mixed.nodes * mixed.cluster.accelerators_per_node.value;
  std::vector<AcceleratorKind> kinds{kind_of(cluster, plan.accelerators() - others, works.front()),
                                     kind_of(mixed.cluster, others, works.back())};
  // The other kind's stages may lie between stages of the first kind.
  if (!mixed.stages.is_empty()) kinds.back().stages = mixed.stages;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const std::vector<StepTimes> stages = simulate_stages(works[i].work);
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const bool is_other = i == 1 || mixed.stages.holds(static_cast<int>(stage));
      AcceleratorKind& kind = kinds[is_other ? 1 : 0];
      if (busy_time(stages[stage]) < kind.busy) continue;
      kind.busy = busy_time(stages[stage]);
      kind.activity = activity_of(stages[stage]);
    }
  }
  const std::array<const Cluster*, 2> clusters{&cluster, &mixed.cluster};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    kinds[i].alone =
        simulate(step_work(model, plan, *clusters[i], profile, heterogeneous.slow)).total;
  return kinds;
}

Seconds without_waiting(const std::vector<AcceleratorKind>& kinds) {
  double all = 0;
  for (const AcceleratorKind& kind : kinds) all += kind.accelerators;
  double pace = 0;  // steps a second
  for (const AcceleratorKind& kind : kinds) pace += kind.accelerators / all / kind.alone.base();
  return Seconds{1 / pace};
}

}  // namespace simulation
}  // namespace tofn
