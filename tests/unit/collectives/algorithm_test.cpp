#include "sim/collectives/algorithm.hpp"

#include <string>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

const Algorithm& algorithm(std::string_view name, CollectiveKind kind) {
  for (const Algorithm& each : collective_algorithms())
    if (each.name == name && each.collective == kind) return each;
  throw InputError("no such algorithm: " + std::string(name));
}

Communicator group(int ranks, int job) {
  return place({.stride = 1, .count = ranks}, toy_machine(), job);
}

double microseconds(std::string_view name, CollectiveKind kind, Bytes payload,
                    const Communicator& c) {
  return algorithm(name, kind).time(payload, c).base() * 1e6;
}

}  // namespace

TEST_CASE("a ring in one domain, by hand") {
  const Communicator four = group(4, 4);
  // Three hops of 1 us; 3/4 of 4 MB at 100 GB/s are 30 us. All-reduce does it twice.
  CHECK_THAT(microseconds("ring", CollectiveKind::AllGather, 4_MB, four), WithinRel(33.0, 1e-12));
  CHECK_THAT(microseconds("ring", CollectiveKind::ReduceScatter, 4_MB, four),
             WithinRel(33.0, 1e-12));
  CHECK_THAT(microseconds("ring", CollectiveKind::AllReduce, 4_MB, four), WithinRel(66.0, 1e-12));
}

TEST_CASE("a ring over two nodes, by hand") {
  const Communicator sixteen = group(16, 16);
  // 15 hops, one of which crosses: 5 + 14 us. Each of 8 NICs carries 15/16 of 1/8 of 16 MB:
  // 1.875 MB at 10 GB/s are 187.5 us, longer than 15 MB at 100 GB/s.
  CHECK_THAT(microseconds("ring", CollectiveKind::AllGather, 16_MB, sixteen),
             WithinRel(206.5, 1e-12));
}

TEST_CASE("a tree, by hand") {
  // Seven hops along the chain of a node, ceil(log2 5) = 3 levels between five; up and down:
  // 2 x (7 + 15) us. A NIC carries 1/8 of 8 MB each way, 2 MB at 5 GB/s beyond the leaf: 400 us.
  CHECK_THAT(microseconds("tree", CollectiveKind::AllReduce, 8_MB, group(40, 40)),
             WithinRel(444.0, 1e-12));
  // Four nodes have two levels and stay below the leaf: 2 x (7 + 10) us and 2 MB at 10 GB/s.
  CHECK_THAT(microseconds("tree", CollectiveKind::AllReduce, 8_MB, group(32, 32)),
             WithinRel(234.0, 1e-12));
}

TEST_CASE("a pairwise exchange, by hand") {
  // Of 16 MB each rank keeps 1 MB, 7 MB stay in the node, 8 MB leave it: 800 us at 10 GB/s.
  // Eight rounds cross and seven do not: 47 us.
  const LinkTraffic moved =
      algorithm("pairwise", CollectiveKind::AllToAll).traffic(16_MB, group(16, 16));
  CHECK_THAT(moved.scale_up.base(), WithinRel(7e6, 1e-12));
  CHECK_THAT(moved.network.base(), WithinRel(8e6, 1e-12));
  CHECK(microseconds("pairwise", CollectiveKind::AllToAll, 16_MB, group(16, 16)) >= 847 * 0.999);
  // In one node 7/8 of 8 MB at 100 GB/s and seven rounds.
  CHECK_THAT(microseconds("pairwise", CollectiveKind::AllToAll, 8_MB, group(8, 8)),
             WithinRel(77.0, 1e-12));
}

TEST_CASE("a reduction in the switch, by hand") {
  Cluster toy = toy_machine();
  toy.scale_up.in_switch_reduction.value = true;
  const Communicator eight = place({.stride = 1, .count = 8}, toy, 8);
  const Algorithm& in_switch = algorithm("in-switch", CollectiveKind::AllReduce);
  REQUIRE(in_switch.supports(eight, false));
  // All of 80 MB goes up, and each rank's eighth of the sums: 90 MB.
  CHECK_THAT(in_switch.traffic(80_MB, eight).scale_up.base(), WithinRel(90e6, 1e-12));
  CHECK_FALSE(in_switch.supports(group(8, 8), false));
  CHECK_FALSE(in_switch.supports(place({.stride = 1, .count = 2}, toy, 2), false));
  CHECK_FALSE(in_switch.supports(place({.stride = 1, .count = 16}, toy, 16), true));
}

TEST_CASE("reduction in the network runs where it can and is asked for") {
  Cluster toy = toy_machine();
  const Algorithm& in_network = algorithm("in-network", CollectiveKind::AllReduce);
  CHECK_FALSE(in_network.supports(group(16, 16), true));
  toy.network->in_network_reduction.value = true;
  const Communicator sixteen = place({.stride = 1, .count = 16}, toy, 16);
  CHECK(in_network.supports(sixteen, true));
  CHECK_FALSE(in_network.supports(sixteen, false));
  CHECK_FALSE(in_network.supports(place({.stride = 1, .count = 8}, toy, 16), true));
  // 1/8 of 80 MB up and down at once, where the ring sends 15/16 of it twice.
  CHECK_THAT(in_network.traffic(80_MB, sixteen).network.base(), WithinRel(10e6, 1e-12));
  CHECK(collective_cost(CollectiveKind::AllReduce, 80_MB, sixteen, true).time <
        0.8 * collective_cost(CollectiveKind::AllReduce, 80_MB, sixteen, false).time);
}

TEST_CASE("the fastest algorithm is taken") {
  const Communicator many = group(512, 512);
  const auto cost = [&](Bytes payload) {
    return collective_cost(CollectiveKind::AllReduce, payload, many, false).time.base() * 1e6;
  };
  CHECK(cost(8_B) == microseconds("tree", CollectiveKind::AllReduce, 8_B, many));
  CHECK(cost(16_GB) == microseconds("ring", CollectiveKind::AllReduce, 16_GB, many));
}

TEST_CASE("a cost rests on the links it used") {
  Cluster toy = toy_machine();
  CHECK(collective_cost(CollectiveKind::AllGather, 1_MB, group(8, 8), false).basis ==
        Basis::Formula);
  toy.scale_up.latency.source = "assumed";
  const Communicator eight = place({.stride = 1, .count = 8}, toy, 8);
  CHECK(collective_cost(CollectiveKind::AllGather, 1_MB, eight, false).basis == Basis::Assumed);
}
