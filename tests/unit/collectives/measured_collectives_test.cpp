#include <cmath>

#include "sim/cluster/measured_machine.hpp"
#include "sim/collectives/algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/curves/known_tables.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr double measured_slowness = 3;

Seconds by_formula(const Cluster& cluster, int ranks, Bytes size) {
  return collective_cost(CollectiveKind::AllReduce, size, place({1, ranks}, cluster, ranks), false)
      .time;
}

/// Table that a machine three times as slow as the formulas would print.
CollectiveTable slow_table(const Cluster& cluster, int nodes) {
  const auto time = [&](double bytes) {
    return measured_slowness * by_formula(cluster, 8 * nodes, Bytes{bytes}).base() * 1e6;
  };
  return table_of(rows_of(time, 10, 30, 1), nodes, 8 * nodes);
}

Cluster measured_on(Cluster cluster, const std::vector<int>& counts,
                    std::optional<Cluster> on = {}) {
  std::vector<CollectiveTable> tables;
  for (const int nodes : counts) tables.push_back(slow_table(on ? *on : cluster, nodes));
  cluster.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{"slow", MeasuredCollectives(tables), std::move(on)});
  return cluster;
}

Cost request(const Cluster& cluster, RankSet set, int job, CollectiveKind kind) {
  return collective_cost(kind, 1_MiB, place(set, cluster, job), false);
}

/// Ratio of the time to the formulas', for all ranks of this many nodes.
double slowness(const Cluster& cluster, int nodes) {
  return request(cluster, {1, 8 * nodes}, 8 * nodes, CollectiveKind::AllReduce).time /
         by_formula(toy_machine(), 8 * nodes, 1_MiB);
}

Basis basis(const Cluster& cluster, int nodes) {
  return request(cluster, {1, 8 * nodes}, 8 * nodes, CollectiveKind::AllReduce).basis;
}

}  // namespace

TEST_CASE("what was measured answers, formulas fill in, and each says which it is") {
  const Cluster cluster = measured_on(toy_machine(), {1, 4});
  for (const int nodes : {1, 4}) {
    CHECK_THAT(slowness(cluster, nodes), WithinRel(measured_slowness, 1e-6));
    CHECK(basis(cluster, nodes) == Basis::Measured);
  }
  // Other node counts use the table of 4 nodes, except one node, which is another tier.
  CHECK_THAT(slowness(cluster, 2), WithinRel(measured_slowness, 1e-6));
  CHECK_THAT(slowness(cluster, 16), WithinRel(measured_slowness, 1e-6));
  CHECK(basis(cluster, 16) == Basis::Extrapolated);
  // Formulas apply to another collective, a part of each node, and one rank per node.
  CHECK(request(cluster, {1, 32}, 32, CollectiveKind::AllToAll).basis == Basis::Formula);
  CHECK(request(cluster, {8, 4}, 32, CollectiveKind::AllReduce).basis == Basis::Formula);
  CHECK(request(cluster, {2, 16}, 32, CollectiveKind::AllReduce).basis == Basis::Formula);
}

TEST_CASE("a measured all-reduce answers for its halves by the formulas' ratio") {
  const Cluster cluster = measured_on(toy_machine(), {1, 4});
  for (const CollectiveKind half : {CollectiveKind::ReduceScatter, CollectiveKind::AllGather}) {
    const Cost cost = request(cluster, {1, 32}, 32, half);
    CHECK_THAT(cost.time / request(toy_machine(), {1, 32}, 32, half).time,
               WithinRel(measured_slowness, 1e-6));
    CHECK(cost.basis == Basis::Extrapolated);
    // No table covers a part of each node.
    CHECK(request(cluster, {8, 4}, 32, half).basis == Basis::Formula);
  }
}

namespace {

/// Time over the formula's on one node whose table of 32 KiB to 1 MiB was `slowness` times as slow,
/// and where each call took `microseconds` longer.
double beyond_rows(double slowness, double microseconds, Bytes size) {
  const auto time = [&](double bytes) {
    return slowness * by_formula(toy_machine(), 8, Bytes{bytes}).base() * 1e6 + microseconds;
  };
  Cluster cluster = toy_machine();
  cluster.measured = std::make_shared<const MeasuredMachine>(MeasuredMachine{
      "short", MeasuredCollectives(std::vector{table_of(rows_of(time, 15, 20, 1), 1, 8)}), {}});
  return collective_cost(CollectiveKind::AllReduce, size, place({1, 8}, cluster, 8), false).time /
         by_formula(toy_machine(), 8, size);
}

/// Time of a call of 1 GiB on one node of the toy whose table holds `rows`.
Seconds gibibyte_after(const std::vector<TimedSize>& rows) {
  Cluster cluster = toy_machine();
  cluster.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{"flat", MeasuredCollectives(std::vector{table_of(rows, 1, 8)}), {}});
  return collective_cost(CollectiveKind::AllReduce, 1_GiB, place({1, 8}, cluster, 8), false).time;
}

}  // namespace

TEST_CASE("beyond a table's rows its time grows at least as the links allow") {
  // Two rows of one time show no bandwidth: 2 x 7/8 of the bytes pass links of 100 GB/s at best.
  const Seconds least = 1.75 * 1_GiB / 100_GBps;
  CHECK(gibibyte_after({{0x1p19, 100}, {0x1p20, 102}, {0x1p21, 101}}) > least);
  CHECK(gibibyte_after({{0x1p19, 100}, {0x1p20, 102}, {0x1p21, 101}}) < 1.2 * least);
  // A call that takes 1 ms longer at all measured sizes does so above them.
  const double longer =
      (beyond_rows(1, 1000, 1_GiB) - 1) * by_formula(toy_machine(), 8, 1_GiB).base();
  CHECK(longer > 0.999e-3);
  // Slower links stay as slow, and faster calls do not make links faster.
  CHECK_THAT(beyond_rows(3, 0, 1_GiB), WithinRel(3.0, 1e-3));
  CHECK(beyond_rows(0.5, 0, 1_GiB) > 0.99);
  CHECK(beyond_rows(0.5, 0, 1_GiB) < 1);
  CHECK_THAT(beyond_rows(0.5, 0, 1_MiB), WithinRel(0.5, 1e-3));
}

TEST_CASE("below a table's rows its calls still take their latency") {
  for (const double slowness : {0.5, 3.0})
    CHECK(beyond_rows(slowness, 0, 1_KiB) > 0.99 * std::min(1.0, slowness));
  // A table of one regime of bandwidth shows no latency.
  const auto proportional = [](double bytes) { return bytes / 1e3; };
  Cluster cluster = toy_machine();
  cluster.measured = std::make_shared<const MeasuredMachine>(MeasuredMachine{
      "steep",
      MeasuredCollectives(std::vector{table_of(rows_of(proportional, 28, 30, 1), 1, 8)}),
      {}});
  CHECK(collective_cost(CollectiveKind::AllReduce, 1_KiB, place({1, 8}, cluster, 8), false).time >=
        by_formula(toy_machine(), 8, 1_KiB));
}

TEST_CASE("a cost says if its message is far outside the table") {
  const Cluster cluster = measured_on(toy_machine(), {1});  // up to 1 GiB
  const Communicator node = place({1, 8}, cluster, 8);
  const auto is_far = [&](Bytes size) {
    return collective_cost(CollectiveKind::AllReduce, size, node, false).collective.is_far;
  };
  CHECK(is_far(8_GiB));
  CHECK_FALSE(is_far(2_GiB));
}

TEST_CASE("two nodes alone say nothing of more") {
  const Cluster cluster = measured_on(toy_machine(), {1, 2});
  CHECK(basis(cluster, 2) == Basis::Measured);
  CHECK(basis(cluster, 8) == Basis::Formula);
  CHECK_THAT(slowness(cluster, 8), WithinRel(1.0, 1e-12));
}

TEST_CASE("several counts up to four nodes or more show how it grows") {
  const Cluster cluster = measured_on(toy_machine(), {2, 4, 8});
  CHECK(basis(cluster, 32) == Basis::Extrapolated);
  CHECK(basis(cluster, 6) == Basis::Interpolated);
}

TEST_CASE("the part of a collective in one domain is answered from one-node logs") {
  const Cluster cluster = measured_on(toy_machine(), {1});
  const Communicator inside = inside_domain(place({1, 32}, cluster, 32));
  const Cost cost = collective_cost(CollectiveKind::AllReduce, 1_MiB, inside, false);
  CHECK(cost.basis == Basis::Measured);
  CHECK_THAT(cost.time / by_formula(toy_machine(), 8, 1_MiB), WithinRel(measured_slowness, 1e-6));
}

TEST_CASE("what if the measured machine had another network") {
  Cluster faster = toy_machine();
  faster.network->nic_bandwidth.value *= 2;
  faster.network->latency.value *= 0.5;
  const Cluster what_if = measured_on(faster, {4}, toy_machine());
  const Cost cost = request(what_if, {1, 32}, 32, CollectiveKind::AllReduce);
  CHECK(cost.basis == Basis::Extrapolated);
  CHECK_THAT(cost.time / by_formula(faster, 32, 1_MiB), WithinRel(measured_slowness, 1e-6));
}

TEST_CASE("a measured collective moves within its own interval") {
  const Cluster cluster = measured_on(toy_machine(), {4});
  Communicator c = place({1, 32}, cluster, 32);
  const auto time = [&](double deviation) {
    c.measured_deviation = deviation;
    return collective_cost(CollectiveKind::AllReduce, 1_MiB, c, false).time;
  };
  CHECK(time(1) > time(0));
  CHECK_THAT(time(1) / time(0), WithinRel(time(0) / time(-1), 1e-9));
  // The end of the curve's interval is 1.645 standard deviations away.
  const std::vector tables{slow_table(toy_machine(), 4)};
  const CurveAnswer answer =
      MeasuredCollectives(tables).find(CollectiveKind::AllReduce, 8, 4)->curve.at(1_MiB);
  CHECK_THAT(time(1.645) / time(0), WithinRel(answer.high / answer.time, 1e-9));
  // Halves of an all-reduce are measured no better, so their interval is as wide.
  c.measured_deviation = 0;
  const Seconds half = collective_cost(CollectiveKind::AllGather, 1_MiB, c, false).time;
  c.measured_deviation = 1.645;
  const Seconds late = collective_cost(CollectiveKind::AllGather, 1_MiB, c, false).time;
  CHECK_THAT(late / half, WithinRel(answer.high / answer.time, 1e-9));
}
