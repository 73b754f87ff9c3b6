#include "sim/simulation/gradients.hpp"

#include "sim/collectives/algorithm.hpp"

namespace tofn {
inline namespace simulation {

GradientGroups groups_by_domain(const Communicator& data) {
  return {.data = data, .node = inside_domain(data), .between = between_domains(data)};
}

CollectiveCost sync_cost(const SyncStep& sync, Bytes gradients, double parameter_size,
                         const GradientGroups& groups, bool in_network_reduction) {
  Bytes payload = gradients;
  if (sync.payload == SyncPayload::Parameters) payload = parameter_size * gradients;
  if (sync.payload == SyncPayload::Shard) payload = gradients / groups.node.ranks;
  const Communicator& group = sync.group == SyncGroup::Data   ? groups.data
                              : sync.group == SyncGroup::Node ? groups.node
                                                              : groups.between;
  return collective_cost(sync.collective, payload, group, in_network_reduction);
}

}  // namespace simulation
}  // namespace tofn
