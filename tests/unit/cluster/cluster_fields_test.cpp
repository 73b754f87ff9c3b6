#include "sim/cluster/cluster_fields.hpp"

#include <string>
#include <type_traits>

#include "sim/cluster/communicator.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// The toy with every figure that a file may state, none of them assumed.
Cluster full_machine() {
  Cluster cluster = toy_machine();
  cluster.network->spine_latency = {2_us, "made up"};
  return cluster;
}

/// The toy with one assumed figure.
Cluster assuming(const std::string& key) {
  Cluster cluster = full_machine();
  const auto assume = [&](const ClusterField& field, auto& figure) {
    if (field.dotted() == key) stated(figure)->source = "assumed";
  };
  visit_cluster(assume, cluster);
  return cluster;
}

Basis basis(const Cluster& cluster, int ranks) {
  return place({.stride = 1, .count = ranks}, cluster, ranks).basis;
}

/// Keys of the figures that differ, each with a blank after it.
std::string changed(Cluster a, const Cluster& b) {
  std::string keys;
  const auto compare = [&](const ClusterField& field, const auto& before, const auto& after) {
    if (stated(before)->value != stated(after)->value) keys += field.dotted() + ' ';
  };
  visit_scale_up(compare, a.scale_up, b.scale_up);
  visit_network(compare, *a.network, *b.network);
  return keys;
}

}  // namespace

// Nodes have 8 ranks and leaves 4 nodes, so 8, 16 and 64 ranks each reach one tier more.
TEST_CASE("a rate that is assumed makes every answer assumed that it enters") {
  CHECK(basis(full_machine(), 64) == Basis::Formula);
  for (const char* key :
       {"scale_up.bandwidth", "scale_up.bandwidth_efficiency", "scale_up.latency"})
    CHECK(basis(assuming(key), 8) == Basis::Assumed);
  for (const char* key : {"network.nics_per_node", "network.nic_bandwidth",
                          "network.bandwidth_efficiency", "network.latency"}) {
    CHECK(basis(assuming(key), 8) == Basis::Formula);
    CHECK(basis(assuming(key), 16) == Basis::Assumed);
  }
  for (const char* key : {"network.oversubscription", "network.spine_latency"}) {
    CHECK(basis(assuming(key), 16) == Basis::Formula);
    CHECK(basis(assuming(key), 64) == Basis::Assumed);
  }
}

TEST_CASE("doubt about links scales every latency, or every bandwidth") {
  Cluster later = full_machine();
  scale_links(later, Uncertainty::Latency, 1.5);
  CHECK(changed(full_machine(), later) ==
        "scale_up.latency network.latency network.spine_latency ");
  CHECK(later.network->spine_latency->value == 3_us);
  Cluster faster = full_machine();
  scale_links(faster, Uncertainty::Bandwidth, 2);
  CHECK(changed(full_machine(), faster) == "scale_up.bandwidth network.nic_bandwidth ");
}

TEST_CASE("a communicator's links scale as the cluster's do") {
  const RankSet all{.stride = 1, .count = 64};
  Cluster cluster = full_machine();
  const Communicator scaled = with_scaled_links(place(all, cluster, 64), 1.5, 2);
  scale_links(cluster, Uncertainty::Latency, 1.5);
  scale_links(cluster, Uncertainty::Bandwidth, 2);
  const Communicator placed = place(all, cluster, 64);
  CHECK(scaled.scale_up.latency == placed.scale_up.latency);
  CHECK(scaled.network.latency == placed.network.latency);
  CHECK(scaled.spine.latency == placed.spine.latency);
  CHECK(scaled.scale_up.bandwidth == placed.scale_up.bandwidth);
  CHECK(scaled.network.bandwidth == placed.network.bandwidth);
  CHECK(placed.spine.latency == 3_us);
}

TEST_CASE("of two networks the slower links hold, the longer latencies and what both can do") {
  Network a = *full_machine().network;
  a.in_network_reduction = {true, "a"};
  Network b = *toy_machine().network;
  b.nic_bandwidth = {20_GBps, "b"};
  b.nics_per_node = {6, "b"};
  b.latency = {3_us, "b"};
  b.nodes_per_leaf = {2, "b"};
  b.oversubscription = {3.0, "b"};
  for (const Network& both : {slower(a, b), slower(b, a)}) {
    CHECK(both.nic_bandwidth.value == 20_GBps);
    CHECK(both.nics_per_node == 6);  // from the slower machine, though it has more
    CHECK(both.latency.value == 5_us);
    CHECK(both.spine_latency.value().value == 2_us);  // only one machine has it
    CHECK(both.nodes_per_leaf == 2);
    CHECK(both.oversubscription == 3.0);
    CHECK_FALSE(both.in_network_reduction.value);
  }
}

TEST_CASE(
    "of two scale-up fabrics the slower links hold, the longer latency and what both can do") {
  ScaleUpFabric a = toy_machine().scale_up;
  a.in_switch_reduction = {true, "a"};
  a.latency = {2_us, "a"};
  ScaleUpFabric b = toy_machine().scale_up;
  b.bandwidth = {150_GBps, "b"};
  b.bandwidth_efficiency = {0.6, "b"};  // 90 GB/s, against a's 100
  b.domain_accelerators = {4, "b"};
  for (const ScaleUpFabric& both : {slower(a, b), slower(b, a)}) {
    CHECK(both.bandwidth.value == 150_GBps);
    CHECK(both.bandwidth_efficiency.value == 0.6);  // from the slower links, though higher
    CHECK(both.latency.value == 2_us);
    CHECK(both.domain_accelerators.value == 4);
    CHECK_FALSE(both.in_switch_reduction.value);
  }
  b.bandwidth = {110_GBps, "b"};
  b.bandwidth_efficiency = {0.95, "b"};  // 104.5 GB/s, so a is slower, though its rate is higher
  CHECK(slower(a, b).bandwidth.value == a.bandwidth.value);
}

TEST_CASE("keys and columns of the rows are unique") {
  std::string keys, columns;
  const auto add = [&](const ClusterField& field, const auto&...) {
    CHECK(keys.find(' ' + field.dotted() + ' ') == std::string::npos);
    CHECK(columns.find(' ' + field.column() + ' ') == std::string::npos);
    keys += ' ' + field.dotted() + ' ';
    columns += ' ' + field.column() + ' ';
  };
  const Cluster bare{};
  visit_cluster(add, bare);
  keys.clear();
  columns.clear();
  visit_accelerator(add);
}
