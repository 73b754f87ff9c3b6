#include "sim/answers/uncertain_parts.hpp"

namespace tofn {
inline namespace answers {

std::vector<Plan> plans_to_measure(const SimulatedStep& step) {
  const int replicas = step.plan.data_parallel_size;
  const int replica = step.plan.accelerators() / replicas;
  const int node = step.cluster.accelerators_per_node.value;
  std::vector<Plan> plans;
  for (int count = 1, least = 1; count < replicas; ++count)
    if (count >= least && count * replica % node == 0 && replicas % count == 0) {
      plans.push_back(step.plan);
      plans.back().data_parallel_size = count;
      least = 2 * count;
    }
  plans.push_back(step.plan);
  return plans;
}

}  // namespace answers
}  // namespace tofn
