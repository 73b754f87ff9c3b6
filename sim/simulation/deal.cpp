#include <algorithm>
#include <cassert>
#include <numeric>

#include "sim/model/stages.hpp"
#include "sim/simulation/accelerator_kind.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
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
