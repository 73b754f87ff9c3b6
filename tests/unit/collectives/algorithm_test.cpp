#include "sim/collectives/algorithm.hpp"

#include <optional>
#include <string>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

const Algorithm& algorithm(std::string_view name, CollectiveKind kind,
                           std::optional<Protocol> protocol = Protocol::Simple) {
  for (const Algorithm& each : collective_algorithms())
    if (each.name == name && each.collective == kind && each.protocol == protocol) return each;
  throw InputError("no such algorithm: " + std::string(name));
}

Communicator group(int ranks, int job) {
  return place({.stride = 1, .count = ranks}, toy_machine(), job);
}

/// Microseconds of an algorithm without ramps.
double microseconds(const Algorithm& each, Bytes payload, const Communicator& c) {
  return each.time(payload, c, Ramps{}).base() * 1e6;
}

}  // namespace

// The tuner's hops hold for an NVLink of 1.9 us, so the toy's hop of 1 us makes them 1/1.9 as long.
TEST_CASE("a ring in one domain, by hand") {
  const Communicator four = group(4, 4);
  // Three hops take 3.4/1.9 us each, and 3/4 of 4 MB at 100 GB/s takes 30 us. An all-reduce does it
  // twice.
  const double once = 3 * 3.4 / 1.9 + 30;
  using enum CollectiveKind;
  CHECK_THAT(microseconds(algorithm("ring", AllGather), 4_MB, four), WithinRel(8.4 + once, 1e-12));
  CHECK_THAT(microseconds(algorithm("ring", ReduceScatter), 4_MB, four),
             WithinRel(8.4 + once, 1e-12));
  CHECK_THAT(microseconds(algorithm("ring", AllReduce), 4_MB, four),
             WithinRel(8.4 + 2 * once, 1e-12));
  // All 4 MB pass every link once.
  CHECK_THAT(microseconds(algorithm("ring", Broadcast), 4_MB, four),
             WithinRel(8.4 + 3 * 3.4 / 1.9 + 40, 1e-12));
}

TEST_CASE("a ring over two nodes, by hand") {
  const Communicator sixteen = group(16, 16);
  // One of 15 hops crosses and takes 14 us; the others wait 3 us for the proxy to post. Each of 8
  // NICs carries 15/16 of 1/8 of 16 MB: 1.875 MB at 10 GB/s take 187.5 us, longer than 15 MB at
  // 100 GB/s.
  CHECK_THAT(microseconds(algorithm("ring", CollectiveKind::AllGather), 16_MB, sixteen),
             WithinRel(8.4 + 14 + 14 * 3 + 187.5, 1e-12));
  // LL crosses in 2.7 us, posts in 1 us, and reaches 0.39 of 80 GB/s.
  CHECK_THAT(
      microseconds(algorithm("ring", CollectiveKind::AllGather, Protocol::LL), 16_MB, sixteen),
      WithinRel(6.6 + 2.7 + 14 * 1 + 15e3 / 31.2, 1e-12));
}

// The rings of the two nodes leave each of 8 ranks 2 MB of 16 MB, which its rail carries to the
// other node: 7 hops and 14 MB at 100 GB/s inside, then a hop of 14 us and 1 MB at 10 GB/s, each of
// the two rings with its start. An all-reduce does both twice.
TEST_CASE("a hierarchical collective over two nodes, by hand") {
  using enum CollectiveKind;
  const Communicator sixteen = group(16, 16);
  const double inside = 7 * 3.4 / 1.9 + 140;
  const double between = 14 + 100;
  const auto hierarchical = [](CollectiveKind kind) -> const Algorithm& {
    return algorithm("hierarchical", kind, std::nullopt);
  };
  CHECK_THAT(microseconds(hierarchical(ReduceScatter), 16_MB, sixteen),
             WithinRel(2 * 8.4 + inside + between, 1e-12));
  CHECK_THAT(microseconds(hierarchical(AllGather), 16_MB, sixteen),
             WithinRel(2 * 8.4 + inside + between, 1e-12));
  CHECK_THAT(microseconds(hierarchical(AllReduce), 16_MB, sixteen),
             WithinRel(2 * 8.4 + 2 * (inside + between), 1e-12));
  const LinkTraffic moved = hierarchical(AllReduce).traffic(16_MB, sixteen);
  CHECK_THAT(moved.scale_up.base(), WithinRel(28e6, 1e-12));
  CHECK_THAT(moved.network.base(), WithinRel(2e6, 1e-12));
}

TEST_CASE("a tree, by hand") {
  // A node's chain has seven hops, and a tree of five nodes floor(log2 5) = 2 levels. Up and down
  // they take 2 x (7 x 4/1.9 + 2 x 14) us. Half of what a leaf's NICs send leaves it, which a spine
  // of 1:2 carries: 80 GB/s x 0.75 x 0.9 (the correction at 4 GiB).
  const double payload_us = 2 * 4096 * 1.048576e6 / (60e9 * 0.9) * 1e6;
  CHECK_THAT(microseconds(algorithm("tree", CollectiveKind::AllReduce), 4096_MiB, group(40, 40)),
             WithinRel(8.4 + 2 * (7 * 4 / 1.9 + 2 * 14) + payload_us / 0.9 * 0.9, 0.12));
  // 32 KiB in LL on four nodes have 2 levels of 5 us; the correction at 64 B x 2^9 is 0.7, and a
  // tree's LL reaches 80 x 0.75 / 3.8 GB/s.
  CHECK_THAT(microseconds(algorithm("tree", CollectiveKind::AllReduce, Protocol::LL), 32_KiB,
                          group(32, 32)),
             WithinRel(6.8 + 2 * (7 * 0.6 / 1.9 + 2 * 5) + 2 * 32768 / (60e3 / 3.8 * 0.7), 1e-12));
}

TEST_CASE("a pairwise exchange, by hand") {
  // Each rank keeps 1 MB of 16 MB, 7 MB stay in the node, and 8 MB leave it: 800 us at 10 GB/s. The
  // first round takes 8.4 + 14 us, the seven others that cross 5 us each, and the seven that do not
  // 1 us.
  const LinkTraffic moved =
      algorithm("pairwise", CollectiveKind::AllToAll).traffic(16_MB, group(16, 16));
  CHECK_THAT(moved.scale_up.base(), WithinRel(7e6, 1e-12));
  CHECK_THAT(moved.network.base(), WithinRel(8e6, 1e-12));
  CHECK_THAT(microseconds(algorithm("pairwise", CollectiveKind::AllToAll), 16_MB, group(16, 16)),
             WithinRel(22.4 + 35 + 7 + 800 + 70, 1e-12));
  // One node sends 7/8 of 8 MB at 100 GB/s in seven rounds.
  CHECK_THAT(microseconds(algorithm("pairwise", CollectiveKind::AllToAll), 8_MB, group(8, 8)),
             WithinRel(8.4 + 3.4 / 1.9 + 6 + 70, 1e-12));
}

TEST_CASE("a reduction in the switch, by hand") {
  Cluster toy = toy_machine();
  toy.scale_up.in_switch_reduction.value = true;
  const Communicator eight = place({.stride = 1, .count = 8}, toy, 8);
  const Algorithm& in_switch = algorithm("in-switch", CollectiveKind::AllReduce);
  REQUIRE(in_switch.supports(eight, false));
  // All 80 MB go up, and so does each rank's eighth of the sums: 90 MB.
  CHECK_THAT(in_switch.traffic(80_MB, eight).scale_up.base(), WithinRel(90e6, 1e-12));
  CHECK_FALSE(in_switch.supports(group(8, 8), false));
  CHECK_FALSE(in_switch.supports(place({.stride = 1, .count = 4}, toy, 4), false));
  CHECK(in_switch.supports(place({.stride = 1, .count = 5}, toy, 5), false));
  CHECK_FALSE(in_switch.supports(place({.stride = 1, .count = 16}, toy, 16), true));
  // The switch reaches 0.752 of 100 GB/s after a start of 25 us, which shrinks with the hop.
  CHECK_THAT(microseconds(in_switch, 80_MB, eight), WithinRel(25 / 1.9 + 80e3 / 75.2, 1e-12));
  // Other links may multicast at another share of a ring's rate.
  toy.scale_up.family.multicast_efficiency.value = 0.5;
  CHECK_THAT(microseconds(in_switch, 80_MB, place({.stride = 1, .count = 8}, toy, 8)),
             WithinRel(25 / 1.9 + 80e3 / 50, 1e-12));
  toy.scale_up.family.multicast_efficiency.value = hopper_multicast;

  // Four nodes have a tree of two levels; NICs carry 31/16 of 80 MB at 80 GB/s a node.
  const Communicator four_nodes = place({.stride = 1, .count = 32}, toy, 32);
  const Algorithm& tree = algorithm("in-switch tree", CollectiveKind::AllReduce);
  REQUIRE(tree.supports(four_nodes, false));
  CHECK_FALSE(tree.supports(eight, false));
  CHECK_THAT(microseconds(tree, 80_MB, four_nodes),
             WithinRel(25 / 1.9 + 4 * 20.9 + 80e6 * 62 / 32 / 80e3, 1e-12));
  // NICs carry half of that between two nodes, so NVLink and the tuner's 57.7 of 45.6 set the
  // limit.
  const Communicator two_nodes = place({.stride = 1, .count = 16}, toy, 16);
  CHECK_THAT(microseconds(tree, 80_MB, two_nodes),
             WithinRel(25 / 1.9 + 2 * 20.9 + 80e6 * 30 / 16 / (100e3 * 57.7 / 45.6), 1e-12));
}

TEST_CASE("between two domains trees use both directions of slow links") {
  // The network has 20 GB/s a node: a ring sends 15/8 of 1 GB over it, and two trees send 1 GB at
  // 0.86.
  Cluster slow = toy_machine();
  slow.network->nic_bandwidth.value = 10_GBps;
  const Communicator two = place({.stride = 1, .count = 16}, slow, 16);
  CHECK_THAT(microseconds(algorithm("tree", CollectiveKind::AllReduce), 1_GB, two),
             WithinRel(8.4 + 2 * (7 * 4 / 1.9 + 14) + 1e9 / (0.86 * 20e3), 1e-12));
  CHECK(chosen_algorithm(CollectiveKind::AllReduce, 1_GB, two, false).name == "tree");
}

TEST_CASE("a transport that leaves NCCL one protocol has no other") {
  Cluster toy = toy_machine();
  toy.network->protocols = ProtocolSet::none();
  toy.network->protocols.add(Protocol::Simple);
  const Communicator two = place({.stride = 1, .count = 16}, toy, 16);
  for (const Algorithm& each : collective_algorithms())
    if (each.library == CollectiveLibrary::Nccl && each.supports(two, false))
      CHECK(each.protocol == Protocol::Simple);
  CHECK(collective_cost(CollectiveKind::AllReduce, 8_B, two, false).time >
        1.5 * collective_cost(CollectiveKind::AllReduce, 8_B, group(16, 16), false).time);
  // Inside a node all protocols remain.
  CHECK(chosen_algorithm(CollectiveKind::AllReduce, 8_B, inside_domain(two), false).protocol ==
        Protocol::LL);
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
  // The switches send 1/8 of 80 MB up and down at once, whereas the ring sends 15/16 of it twice.
  CHECK_THAT(in_network.traffic(80_MB, sixteen).network.base(), WithinRel(10e6, 1e-12));
  CHECK(collective_cost(CollectiveKind::AllReduce, 80_MB, sixteen, true).time <
        0.8 * collective_cost(CollectiveKind::AllReduce, 80_MB, sixteen, false).time);
}

TEST_CASE("the fastest algorithm is taken") {
  const Communicator many = group(512, 512);
  const auto chosen = [&](Bytes payload) -> const Algorithm& {
    return chosen_algorithm(CollectiveKind::AllReduce, payload, many, false);
  };
  CHECK(chosen(8_B).name == "tree");
  CHECK(chosen(8_B).protocol == Protocol::LL);
  CHECK(chosen(16_GB).name == "ring");
  CHECK(chosen(16_GB).protocol == Protocol::Simple);
  for (const Bytes payload : {8_B, 1_MiB, 16_GB})
    CHECK(collective_cost(CollectiveKind::AllReduce, payload, many, false).time ==
          chosen(payload).time(payload, many, fitted_ramps()));
}

TEST_CASE("a cost rests on the links it used") {
  Cluster toy = toy_machine();
  CHECK(collective_cost(CollectiveKind::AllGather, 1_MB, group(8, 8), false).basis ==
        Basis::Formula);
  toy.scale_up.latency.source = "assumed";
  const Communicator eight = place({.stride = 1, .count = 8}, toy, 8);
  CHECK(collective_cost(CollectiveKind::AllGather, 1_MB, eight, false).basis == Basis::Assumed);
}

TEST_CASE("the algorithm that all-reduces must run by is no affair of other collectives") {
  Communicator c = group(16, 16);
  c.all_reduce = "hierarchical";
  for (const Bytes payload : {64_KiB, 4_MiB, 1024_MiB}) {
    CHECK(chosen_algorithm(CollectiveKind::AllReduce, payload, c, false).name == "hierarchical");
    for (const auto kind : {CollectiveKind::AllGather, CollectiveKind::ReduceScatter})
      CHECK(&chosen_algorithm(kind, payload, c, false) ==
            &chosen_algorithm(kind, payload, group(16, 16), false));
  }
}
