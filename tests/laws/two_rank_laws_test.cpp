#include <array>
#include <string>

#include "sim/collectives/algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// Between two ranks every collective is a few sends over one link: `hops` times its latency and
// `payloads` times the payload over its bandwidth, written out by hand.
using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

struct ClosedForm {
  std::string_view algorithm;
  CollectiveKind collective;
  double hops;
  double payloads;
};

constexpr std::array closed_forms{
    // Half goes to the other rank to be summed, and the sum of the other half comes back.
    ClosedForm{"ring", CollectiveKind::AllReduce, 2, 1},
    ClosedForm{"ring", CollectiveKind::ReduceScatter, 1, 0.5},
    ClosedForm{"ring", CollectiveKind::AllGather, 1, 0.5},
    // All of it goes up to the root and the sum comes down.
    ClosedForm{"tree", CollectiveKind::AllReduce, 2, 2},
    ClosedForm{"pairwise", CollectiveKind::AllToAll, 1, 0.5},
    ClosedForm{"pairwise", CollectiveKind::SendReceive, 1, 1},
    // Only between nodes: up to the switches and down, six hops of latency.
    ClosedForm{"in-network", CollectiveKind::AllReduce, 6, 1},
};

const Algorithm& algorithm_of(const ClosedForm& form) {
  for (const Algorithm& each : collective_algorithms())
    if (each.name == form.algorithm && each.collective == form.collective) return each;
  throw InputError("no such algorithm: " + std::string(form.algorithm));
}

void check(const ClosedForm& form, const Communicator& pair, Seconds latency,
           BytesPerSecond bandwidth) {
  const Algorithm& algorithm = algorithm_of(form);
  if (!algorithm.supports(pair, true)) return;
  INFO(form.algorithm << ' ' << static_cast<int>(form.collective));
  for (const double bytes : {8.0, 65536.0, 1e9}) {
    const double seconds = form.hops * latency.base() + form.payloads * bytes / bandwidth.base();
    CHECK_THAT(algorithm.time(Bytes{bytes}, pair).base(), WithinRel(seconds, 1e-12));
  }
}

}  // namespace

TEST_CASE("two ranks of a domain match the closed form") {
  for (const Cluster& cluster : library().clusters()) {
    INFO(cluster.name);
    const ScaleUpFabric& fabric = cluster.scale_up;
    if (fabric.domain_accelerators < 2) continue;
    const Communicator pair = place({.stride = 1, .count = 2}, cluster, 2);
    for (const ClosedForm& form : closed_forms)
      check(form, pair, fabric.latency, fabric.bandwidth.value * fabric.bandwidth_efficiency.value);
  }
}

TEST_CASE("two ranks of two domains match the closed form") {
  for (const Cluster& cluster : library().clusters()) {
    INFO(cluster.name);
    const int domain = cluster.scale_up.domain_accelerators;
    if (!fits(cluster, 2 * domain)) continue;
    const Network& network = *cluster.network;
    const Communicator pair = place({.stride = domain, .count = 2}, cluster, 2 * domain);
    // All accelerators of a node share its NICs: each runs such a pair of its own.
    const int nodes = 2 * domain / cluster.accelerators_per_node;
    const double spine = nodes > network.nodes_per_leaf ? network.oversubscription.value : 1;
    const BytesPerSecond share = network.nic_bandwidth.value * network.nics_per_node.value *
                                 network.bandwidth_efficiency.value /
                                 cluster.accelerators_per_node.value / spine;
    for (const ClosedForm& form : closed_forms) check(form, pair, network.latency, share);
  }
}

TEST_CASE("every algorithm but the in-switch one has its closed form for two ranks") {
  for (const Algorithm& each : collective_algorithms()) {
    int forms = 0;
    for (const ClosedForm& form : closed_forms)
      if (each.name == form.algorithm && each.collective == form.collective) ++forms;
    INFO(each.name);
    CHECK(forms == (each.name == "in-switch" ? 0 : 1));
  }
}
