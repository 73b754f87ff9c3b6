#include <array>
#include <bit>
#include <cmath>

#include "sim/collectives/algorithm.hpp"
#include "sim/collectives/algorithms/algorithms.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// Laws of groups that share NICs and spines.
using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// A cluster whose leaves hold four nodes.
Cluster with_spine(Cluster cluster, double oversubscription) {
  if (cluster.network) {
    cluster.network->nodes_per_leaf.value = 4;
    cluster.network->oversubscription.value = oversubscription;
  }
  return cluster;
}

/// Calls f(set, job) for sets that fill whole jobs and whose siblings are placed alike.
template <class F>
void for_each_set(const Cluster& cluster, F f) {
  const int node = cluster.accelerators_per_node.value;
  for (const int job : {node, 2 * node, 8 * node, 64 * node})
    for (const int stride : {1, 2, 4, node, 2 * node})
      if (fits(cluster, job) && job % stride == 0 && job / stride >= 2)
        f(RankSet{.stride = stride, .count = job / stride}, job);
}

/// Calls f(time of a group in `a`, time in `b`) for every algorithm and some payloads.
template <class F>
void for_each_time(const Communicator& a, const Communicator& b, F f) {
  for (const Algorithm& algorithm : collective_algorithms()) {
    if (!algorithm.supports(a, true) || !algorithm.supports(b, true)) continue;
    for (const Bytes payload : {8_B, 1_MiB, 1_GiB}) {
      INFO(algorithm.name << ' ' << static_cast<int>(algorithm.collective) << ' ' << a.ranks
                          << " ranks in " << a.domains << " domains, " << payload.base() << " B");
      f(algorithm.time(payload, a, fitted_ramps()).base(),
        algorithm.time(payload, b, fitted_ramps()).base());
    }
  }
}

constexpr double concurrency_laws_rounding = 1e-12;

}  // namespace

TEST_CASE("k groups at once take as long as one alone at least, and k times as long at most") {
  for (const Cluster& shipped : library().clusters())
    for (const double oversubscription : {1.0, 3.0}) {
      const Cluster cluster = with_spine(shipped, oversubscription);
      INFO(cluster.name << ' ' << oversubscription);
      for_each_set(cluster, [&](RankSet set, int job) {
        const Communicator alone = place(set, cluster, job, Concurrency::OneSet);
        for_each_time(alone, place(set, cluster, job), [&](double one, double all) {
          CHECK(all >= one * (1 - concurrency_laws_rounding));
          CHECK(all <= one * set.stride * (1 + concurrency_laws_rounding));
        });
      });
    }
}

TEST_CASE("a lone rail has its own NIC, and no more than one") {
  Cluster cluster = machine("dgx-h100");
  cluster.network->nics_per_node.value = 4;
  const RankSet rail{.stride = 8, .count = 8};
  const double nic =
      (cluster.network->nic_bandwidth.value * cluster.network->bandwidth_efficiency.value).base();
  CHECK_THAT(place(rail, cluster, 64).network.bandwidth.base(), WithinRel(nic / 2, 1e-12));
  CHECK_THAT(place(rail, cluster, 64, Concurrency::OneSet).network.bandwidth.base(),
             WithinRel(nic, 1e-12));
}

TEST_CASE("a spine of full bandwidth changes nothing, one of less never helps") {
  for (const Cluster& shipped : library().clusters()) {
    if (!shipped.network) continue;
    Cluster one_leaf = shipped;
    one_leaf.network->nodes_per_leaf.value = 1'000'000;
    INFO(shipped.name);
    for_each_set(shipped, [&](RankSet set, int job) {
      const Communicator full = place(set, with_spine(shipped, 1), job);
      for_each_time(place(set, one_leaf, job), full,
                    [](double whole, double split) { CHECK(split == whole); });
      Communicator before = full;
      for (const double oversubscription : {2.0, 4.0, 16.0}) {
        const Communicator less = place(set, with_spine(shipped, oversubscription), job);
        for_each_time(before, less, [](double more, double fewer) {
          CHECK(fewer >= more * (1 - concurrency_laws_rounding));
        });
        before = less;
      }
    });
  }
}

TEST_CASE("a spine slows what crosses it: a ring little, an all-to-all most") {
  const Cluster full = with_spine(machine("dgx-h100"), 1);
  const Cluster half = with_spine(machine("dgx-h100"), 2);
  const auto slowdown = [&](CollectiveKind kind) {
    const auto time = [&](const Cluster& cluster) {
      return collective_cost(kind, 64_GiB, place({.stride = 1, .count = 256}, cluster, 256), false)
          .time;
    };
    return time(half) / time(full);
  };
  CHECK(slowdown(CollectiveKind::AllGather) == 1);  // one node of four leaves its leaf, not two
  // 28 of 31 other nodes are beyond the leaf.
  CHECK(slowdown(CollectiveKind::AllToAll) > 1.7);
  CHECK(slowdown(CollectiveKind::AllToAll) < 2 * 28.0 / 31);
}

TEST_CASE("the latency of a spine is paid by each hop that crosses it") {
  Cluster cluster = with_spine(machine("dgx-h100"), 1);
  const RankSet all{.stride = 1, .count = 128};  // 16 nodes on four leaves
  const Communicator before = place(all, cluster, 128);
  cluster.network->spine_latency = {100_us, "made up"};
  const Communicator after = place(all, cluster, 128);
  const auto added = [&](std::string_view name, CollectiveKind kind) {
    double most = 0;
    for (const Algorithm& each : collective_algorithms())
      if (each.name == name && each.collective == kind)
        most = (each.time(8_B, after, {}) - each.time(8_B, before, {})).base() * 1e6;
    return most;
  };
  using enum CollectiveKind;
  CHECK_THAT(added("ring", AllGather), WithinRel(300.0, 1e-9));  // three borders between leaves
  CHECK_THAT(added("tree", AllReduce), WithinRel(400.0, 1e-9));  // two levels, up and down
  CHECK_THAT(added("pairwise", SendReceive), WithinRel(100.0, 1e-9));
  CHECK_THAT(added("pairwise", AllToAll), WithinRel(9600.0, 1e-9));  // 96 of 127 on other leaves
  CHECK_THAT(added("halving-doubling", AllReduce), WithinRel(400.0, 1e-9));
  const Communicator leaf = place({.stride = 1, .count = 32}, cluster, 32);
  CHECK(leaf.spine.latency == 0_us);
}

// Tree of NCCL over nodes 0..n-1, with node 0 on top. A node's parent has the node's lowest set bit
// cleared and the next bit set, or only cleared if no such node exists.
TEST_CASE("a tree leaves a leaf by four of the ends of its edges at most") {
  constexpr unsigned nodes = 64;
  const auto parent = [](unsigned node) {
    const unsigned lowest = node & (~node + 1);
    const unsigned up = (node ^ lowest) | (lowest << 1);
    return up >= nodes ? node ^ lowest : up;
  };
  for (const unsigned leaf : {2U, 4U, 8U, 16U}) {
    std::array<int, nodes> leaving{};
    for (unsigned node = 1; node < nodes; ++node) {
      if (node / leaf == parent(node) / leaf) continue;
      ++leaving[node / leaf];
      ++leaving[parent(node) / leaf];
    }
    Communicator c;
    c.spine.domains_per_leaf = static_cast<int>(leaf);
    int most = 0;
    for (const int edges : leaving) most = std::max(most, edges);
    INFO(leaf << " nodes on a leaf, " << most << " edges leave one");
    CHECK(most <= 2 * leaf * tree_crossing(c));
  }
}
