#include "sim/simulation/accelerator_kind.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "sim/model/stages.hpp"
#include "sim/simulation/step_energy.hpp"
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

void deal_by_speed(std::vector<ReplicaWork>& works, int group) {
  assert(works.size() == 2);
  ReplicaWork& first = works.front();
  ReplicaWork& second = works.back();
  const int each = first.work.micro_batches;
  const int common = std::gcd(first.replicas, second.replicas);
  // Micro-batches that a replica of the first kind gains, and one of the second loses, per search
  // step.
  const int taken = group * (second.replicas / common);
  const int given = group * (first.replicas / common);
  const auto time = [](ReplicaWork& of, int micro_batches) {
    of.work.micro_batches = micro_batches;
    return simulate(of.work).total;
  };
  const auto first_time = [&](int steps) { return time(first, each + steps * taken); };
  const auto second_time = [&](int steps) { return time(second, each - steps * given); };
  // One time grows with the steps and the other falls, so the best is where they cross.
  int low = -((each - 1) / taken);
  int high = (each - 1) / given;
  const int fewest = low;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (first_time(middle) >= second_time(middle))
      high = middle;
    else
      low = middle + 1;
  }
  const auto later = [&](int steps) { return std::max(first_time(steps), second_time(steps)); };
  if (low > fewest && later(low - 1) < later(low)) --low;
  first.work.micro_batches = each + low * taken;
  second.work.micro_batches = each - low * given;
}

MixedNodes with_layers_by_speed(const Model& model, const Plan& plan, const Cluster& cluster,
                                const KernelProfile& profile,
                                const HeterogeneousNodes& heterogeneous) {
  HeterogeneousNodes dealt = heterogeneous;
  const auto time = [&] {
    return simulate(replica_works(model, plan, cluster, profile, dealt).front().work).total;
  };
  MixedNodes best = *heterogeneous.mixed;
  Seconds shortest = time();
  const int layers = *plan_limits(layer_work(model, plan)).layers;
  const int fewest = best.stages.end - best.stages.first;
  const int most = layers - (plan.pipeline_parallel_size - fewest);
  for (int others = fewest; others <= most; ++others) {
    dealt.mixed->layers = others;
    const Seconds now = time();
    if (now >= shortest) continue;
    shortest = now;
    best = *dealt.mixed;
  }
  return best;
}

}  // namespace simulation
}  // namespace tofn
