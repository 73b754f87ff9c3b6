#include "sim/cluster/cluster_fields.hpp"

namespace tofn {
inline namespace cluster {
namespace {

/// Returns `held`, or `other` if it is slower. An absent figure counts as the fastest.
template <class Figure>
const Figure& worse(Slower slower, const Figure& held, const Figure& other) {
  const auto* a = stated(held);
  const auto* b = stated(other);
  if (slower == Slower::OfSlowerLink || b == nullptr) return held;
  if (a == nullptr) return other;
  const bool is_more =
      slower == Slower::Larger ? number_of(*b) > number_of(*a) : number_of(*b) < number_of(*a);
  return is_more ? other : held;
}

constexpr auto hold_worse = [](const ClusterField& field, auto& held, const auto& a,
                               const auto& b) {
  held = worse(field.role.slower, held, a);
  held = worse(field.role.slower, held, b);
};

/// Bandwidth that links achieve: of one rank in a fabric, of one node in a network.
BytesPerSecond bandwidth(const ScaleUpFabric& fabric) {
  return fabric.bandwidth.value * fabric.bandwidth_efficiency.value;
}
BytesPerSecond bandwidth(const Network& network) {
  return network.nic_bandwidth.value *
         (network.nics_per_node.value * network.bandwidth_efficiency.value);
}

}  // namespace

void scale_links(Cluster& cluster, Uncertainty uncertainty, double factor) {
  const auto scale = [&](const ClusterField& field, auto& figure) {
    if (field.role.uncertainty != uncertainty) return;
    if (auto* found = stated(figure)) found->value = scaled(found->value, factor, field.range);
  };
  visit_cluster(scale, cluster);
}

ScaleUpFabric slower(const ScaleUpFabric& a, const ScaleUpFabric& b) {
  ScaleUpFabric both = bandwidth(b) < bandwidth(a) ? b : a;
  visit_scale_up(hold_worse, both, a, b);
  return both;
}

Network slower(const Network& a, const Network& b) {
  Network both = bandwidth(b) < bandwidth(a) ? b : a;
  visit_network(hold_worse, both, a, b);
  both.protocols = common(a.protocols, b.protocols);
  return both;
}

}  // namespace cluster
}  // namespace tofn
