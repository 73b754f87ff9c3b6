#include <memory>

#include "sim/cluster/measured_machine.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/curves/known_tables.hpp"
#include "tests/unit/simulation/toy_workload.hpp"

// Exchanges of the ranks of a calibrated step, and their groups. tests/unit/collectives computes
// the time of one collective by hand.
using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr std::size_t tensor = 0;
constexpr std::size_t ring = 1;

Seconds collective(CollectiveKind kind, Bytes payload, RankSet set, int job,
                   const Cluster& cluster = toy_machine(), bool in_network = false) {
  return collective_cost(kind, payload, place(set, cluster, job), in_network).time;
}

std::vector<LayerTimes> slices_of(const Workload& workload, const Plan& plan) {
  const Cluster toy = toy_machine();
  const CalibratedStep step(workload, toy, plan, {}, toy_compute());
  return step.work().stages.at(0).at(0).layers();
}

StepTimes step_on(const Cluster& cluster, const Workload& workload, const Plan& plan,
                  const RunSettings& settings = {}, const StepPerturbation& by = {}) {
  return CalibratedStep(workload, cluster, plan, settings, toy_compute()).times(by);
}

/// The toy with timed all-reduces on one node: 10 us and 50 GB/s, an eighth more or less.
Cluster measured_machine() {
  const auto time = [](double bytes) { return 10 + bytes / 50e3; };
  std::vector<TimedSize> rows = rows_of(time, 10, 30, 1);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].microseconds *= i % 2 == 0 ? 0.875 : 1.125;
  Cluster cluster = toy_machine();
  const std::vector<CollectiveTable> tables{table_of(rows)};
  cluster.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{"noisy", MeasuredCollectives(tables), {}});
  return cluster;
}

}  // namespace

TEST_CASE("the first of all chunks of tensor traffic waits, the others hide but for their loss") {
  const StepTimes step = step_on(toy_machine(), toy_workload(), split(4, 1, 1));
  const Seconds gathers = 2 * 3 * collective(CollectiveKind::AllGather, 2_MB, {1, 4}, 4);
  // A quarter is exposed, and compute loses a quarter of the other three quarters.
  CHECK_THAT(part(step.parts, StepPart::Tensor) / gathers, WithinRel(1.0 / 4 + 3.0 / 16, 1e-12));
}

TEST_CASE("ranks that share a sample both ways exchange their part of it") {
  const LayerTimes layer = slices_of(toy_workload(), split(2, 2, 1)).at(0);
  // Each context rank has half of a sample's 2 MB, and a quarter of its 4 MB of keys and values.
  const Seconds gathers = 3 * collective(CollectiveKind::AllGather, 1_MB, {1, 2}, 4);
  const Seconds hops = 3 * collective(CollectiveKind::SendReceive, 1_MB, {2, 2}, 4);
  CHECK_THAT((layer.forward.exposed[tensor] + layer.forward.overlapped[tensor]) / gathers,
             WithinRel(1.0, 1e-12));
  CHECK_THAT(layer.forward.overlapped[ring] / hops, WithinRel(1.0, 1e-12));
  CHECK_THAT(layer.backward.overlapped[ring] / hops, WithinRel(2.0, 1e-12));
}

TEST_CASE("the ring goes beside the slices that have the attention") {
  Workload overlapping = attentive_workload();
  overlapping.gradients.synchronisation[0].overlaps = Overlap::Backward;
  const std::vector<LayerTimes> slices = slices_of(overlapping, split(1, 2, 2));
  REQUIRE(slices.size() == 2);  // products alone; products and attention
  CHECK(slices[0].forward.overlapped[ring] == 0_s);
  CHECK(slices[0].backward.overlapped[ring] == 0_s);
  const Seconds hops = 3 * collective(CollectiveKind::SendReceive, 2_MB, {1, 2}, 4);
  CHECK_THAT(slices[1].forward.overlapped[ring] / hops, WithinRel(1.0, 1e-12));
}

TEST_CASE("nodes of one rack reduce between them over the rack's own fabric, rail by rail") {
  Workload sharded = toy_workload();
  const SyncStep scatter{.collective = CollectiveKind::ReduceScatter,
                         .group = SyncGroup::Node,
                         .payload = SyncPayload::Gradients,
                         .overlaps = Overlap::Nothing,
                         .when = SyncWhen::Always};
  const SyncStep between{.collective = CollectiveKind::AllReduce,
                         .group = SyncGroup::Between,
                         .payload = SyncPayload::Shard,
                         .overlaps = Overlap::Nothing,
                         .when = SyncWhen::ManyNodes};
  sharded.gradients.synchronisation = {scatter, between};
  const Cluster racks = toy_of_four(8);
  for (const int nodes : {2, 4}) {
    const int ranks = 4 * nodes;
    const Seconds expected =
        collective(CollectiveKind::ReduceScatter, 2_MB, {1, 4}, ranks, racks) +
        collective(CollectiveKind::AllReduce, 0.5_MB, {4, nodes}, ranks, racks);
    const StepTimes step = step_on(racks, sharded, split(1, 1, ranks));
    INFO(nodes << " nodes");
    CHECK_THAT(part(step.parts, StepPart::Data) / expected, WithinRel(1.0, 1e-12));
  }
}

TEST_CASE("gradients are reduced in the network's switches where the run asks for it") {
  Workload large = toy_workload();
  large.gradients.bytes_per_parameter.value = 2000;
  Cluster cluster = toy_machine();
  cluster.network->in_network_reduction.value = true;
  const auto expected = [&](bool in_network) {
    return collective(CollectiveKind::AllReduce, 2_GB, {1, 16}, 16, cluster, in_network);
  };
  REQUIRE(expected(true) < expected(false));
  RunSettings asking;
  asking.in_network_reduction = true;
  const auto data = [&](const RunSettings& settings) {
    return part(step_on(cluster, large, split(1, 1, 16), settings).parts, StepPart::Data);
  };
  CHECK_THAT(data(asking) / expected(true), WithinRel(1.0, 1e-12));
  CHECK_THAT(data({}) / expected(false), WithinRel(1.0, 1e-12));
}

TEST_CASE("slower links slow what was measured, too") {
  const Cluster cluster = measured_machine();
  const auto data = [&](double bandwidth) {
    const StepPerturbation by{.bandwidth = bandwidth};
    return part(step_on(cluster, toy_workload(), split(1, 1, 8), {}, by).parts, StepPart::Data);
  };
  REQUIRE(place({1, 8}, cluster, 8).measured);
  CHECK(data(0.9) > data(1));
  CHECK(data(1.1) < data(1));
}

TEST_CASE("each group of ranks rests on the links that it crosses") {
  Cluster cluster = toy_machine();
  cluster.network->latency.source = "assumed";
  const StepTimes step = step_on(cluster, toy_workload(), split(2, 8, 1));
  CHECK(step.cost(StepPart::Tensor).basis == Basis::Formula);   // neighbours in a node
  CHECK(step.cost(StepPart::Context).basis == Basis::Assumed);  // eight ranks on two nodes
}

TEST_CASE("doubt about overheads reaches passes that wait for the host") {
  ComputeProfile slow_host = toy_compute();
  slow_host.host = 90_ms;
  const Workload workload = toy_workload();
  const Cluster toy = toy_machine();
  const CalibratedStep step(workload, toy, split(1, 1, 1), {}, slow_host);
  // A third of the overhead is forward, beside 20 ms of kernels, and two thirds backward, beside
  // 40 ms.
  const auto launches = [&](double overhead) {
    return part(step.times({.overhead = overhead}).parts, StepPart::Launch).base();
  };
  CHECK_THAT(launches(1), WithinRel(0.030, 1e-12));
  CHECK_THAT(launches(2), WithinRel(0.120, 1e-12));
}
