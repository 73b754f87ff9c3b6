#include "sim/cluster/communicator.hpp"

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/curves/known_tables.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

struct Shape {
  int ranks, ranks_per_domain, domains, leaves;
  bool operator==(const Shape&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.ranks << " ranks, " << shape.ranks_per_domain << " per domain, "
             << shape.domains << " domains, " << shape.leaves << " leaves";
}

Shape shape_of(const Communicator& c) { return {c.ranks, c.ranks_per_domain, c.domains, c.leaves}; }
Shape placed(RankSet set, const Cluster& cluster, int job) {
  return shape_of(place(set, cluster, job));
}

}  // namespace

// A job of 64 on nodes of 8, split into tensor groups of 4 and context groups of 2.
TEST_CASE("rank sets of tensor, context and data parallelism on nodes of eight") {
  const Cluster toy = toy_machine();
  CHECK(placed({.stride = 1, .count = 4}, toy, 64) == Shape{4, 4, 1, 1});
  CHECK(placed({.stride = 4, .count = 2}, toy, 64) == Shape{2, 2, 1, 1});
  CHECK(placed({.stride = 8, .count = 8}, toy, 64) == Shape{8, 1, 8, 2});
  CHECK(placed({.stride = 4, .count = 16}, toy, 64) == Shape{16, 2, 8, 2});
  CHECK(placed({.stride = 1, .count = 64}, toy, 64) == Shape{64, 8, 8, 2});
}

TEST_CASE("a domain may span several nodes") {
  const Cluster rack = toy_of_four(72);
  CHECK(placed({.stride = 1, .count = 8}, rack, 8) == Shape{8, 8, 1, 1});
  CHECK(placed({.stride = 1, .count = 72}, rack, 72) == Shape{72, 72, 1, 1});
  CHECK(placed({.stride = 4, .count = 18}, rack, 72) == Shape{18, 18, 1, 1});
  // 144 accelerators fill two racks, each with more than one leaf of four nodes.
  CHECK(placed({.stride = 1, .count = 144}, rack, 144) == Shape{144, 72, 2, 2});
  CHECK(placed({.stride = 8, .count = 18}, rack, 144) == Shape{18, 9, 2, 2});
}

TEST_CASE("a group of eight crosses nodes of four") {
  const Cluster board = toy_of_four(4);
  CHECK(placed({.stride = 1, .count = 4}, board, 8) == Shape{4, 4, 1, 1});
  CHECK(placed({.stride = 1, .count = 8}, board, 8) == Shape{8, 4, 2, 1});
  CHECK(placed({.stride = 8, .count = 4}, board, 32) == Shape{4, 1, 4, 2});
}

TEST_CASE("twelve ranks take two nodes of eight") {
  const Communicator uneven = place({.stride = 1, .count = 12}, toy_machine(), 12);
  CHECK(uneven.ranks == 12);
  CHECK(uneven.domains == 2);
  CHECK_FALSE(uneven.one_domain());
}

// Ranks 0-2 and 3-5 share a node of eight, but 6-8 do not, and the slowest group sets the pace.
TEST_CASE("groups that do not divide a domain cross it") {
  CHECK_FALSE(place({.stride = 1, .count = 3}, toy_machine(), 24).one_domain());
}

TEST_CASE("a job that leaves some of each domain keeps groups in it") {
  const Cluster rack = toy_of_four(72);
  const RankSet experts{.stride = 1, .count = 64};
  CHECK(placed(experts, rack, 256) == Shape{64, 32, 2, 2});
  CHECK(shape_of(place(experts, rack, {256, 64})) == Shape{64, 64, 1, 1});
  CHECK(shape_of(place({.stride = 64, .count = 4}, rack, {256, 64})) == Shape{4, 1, 4, 4});
  // Each node of eight has six ranks, so a leaf of four nodes has 24.
  CHECK(shape_of(place({.stride = 1, .count = 6}, toy_machine(), {48, 6})) == Shape{6, 6, 1, 1});
  CHECK(shape_of(place({.stride = 6, .count = 4}, toy_machine(), {48, 6})) == Shape{4, 1, 4, 1});
  CHECK(shape_of(place({.stride = 6, .count = 8}, toy_machine(), {48, 6})) == Shape{8, 1, 8, 2});
}

TEST_CASE("a job that leaves some of each node is answered by tables of as many a node") {
  Cluster toy = toy_machine();
  const std::vector<CollectiveTable> tables{
      table_of(rows_of([](double) { return 1000.0; }, 10, 30, 1), 2, 4)};
  toy.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{"two of each", MeasuredCollectives(tables), {}});
  const RankSet four{.stride = 1, .count = 4};
  CHECK(place(four, toy, {4, 2}).measured != nullptr);
  CHECK(place(four, toy, 4).measured == nullptr);       // one node
  CHECK(place(four, toy, {4, 1}).measured == nullptr);  // four nodes
  CHECK(place({.stride = 1, .count = 6}, toy, {6, 2}).measured == nullptr);
}

TEST_CASE("nodes are had whole, racks are not") {
  const Cluster toy = toy_machine();
  CHECK(toy.nodes_of(12) == 2);
  CHECK(toy.idle_beside(12) == 0);  // another job may use the rest
  CHECK(toy.nodes_of({48, 6}) == 8);
  CHECK(toy.idle_beside({48, 6}) == 16);
  CHECK(toy.nodes_of({51, 6}) == 9);
  CHECK(toy.idle_beside({51, 6}) == 16);
  const Cluster rack = toy_of_four(72);
  CHECK(rack.nodes_of({256, 64}) == 64);
  CHECK(rack.idle_beside({256, 64}) == 0);
  CHECK(rack.nodes_of({132, 66}) == 34);
  CHECK(rack.idle_beside({132, 66}) == 4);
}

TEST_CASE("links are what one rank gets of them") {
  const Communicator c = place({.stride = 1, .count = 16}, toy_machine(), 16);
  CHECK(c.scale_up.bandwidth == 100_GBps);
  CHECK(c.scale_up.latency == 1_us);
  CHECK_FALSE(c.scale_up.reduces_in_switch);
  CHECK(c.network.bandwidth == 10_GBps);
  CHECK(c.network.latency == 5_us);
  CHECK_FALSE(c.network.reduces_in_switch);
  CHECK(c.basis == Basis::Formula);
}

TEST_CASE("one rank per node shares the NICs with its siblings all the same") {
  CHECK(place({.stride = 8, .count = 2}, toy_machine(), 16).network.bandwidth == 10_GBps);
}

TEST_CASE("the spine is oversubscribed beyond one leaf") {
  const Communicator leaf = place({.stride = 1, .count = 32}, toy_machine(), 32);
  CHECK(network_bandwidth(leaf, 1) == 10_GBps);
  const Communicator more = place({.stride = 1, .count = 40}, toy_machine(), 40);
  CHECK(more.spine.domains_per_leaf == 4);
  CHECK(network_bandwidth(more, 1) == 5_GBps);
  CHECK_THAT((network_bandwidth(more, 0.75) / 1_GBps), WithinRel(10 / 1.5, 1e-12));
  // One domain of four sends out of the leaf, which needs less than half of the NICs' rate.
  CHECK(network_bandwidth(more, ring_crossing(more)) == 10_GBps);
  Cluster generous = toy_machine();
  generous.network->oversubscription.value = 0.5;  // more spine than leaf bandwidth does not help
  CHECK(network_bandwidth(place({.stride = 1, .count = 40}, generous, 40), 1) == 10_GBps);
}

TEST_CASE("a group of a larger job pays for the leaves that it or a sibling spans") {
  const auto leaves = [](RankSet set) { return place(set, toy_machine(), 128).leaves; };
  CHECK(leaves({.stride = 1, .count = 16}) == 1);
  CHECK(leaves({.stride = 1, .count = 24}) == 2);  // nodes 3 to 5 are on two leaves
  CHECK(leaves({.stride = 8, .count = 16}) == 4);
  CHECK(leaves({.stride = 32, .count = 4}) == 4);
}

// Four NICs serve eight accelerators, which is one for every two.
TEST_CASE("a group alone has the NICs beside its ranks") {
  const auto alone = [](RankSet set, int job) {
    return place(set, toy_machine(), job, Concurrency::OneSet);
  };
  CHECK(alone({.stride = 8, .count = 2}, 16).network.bandwidth == 20_GBps);  // one NIC, not four
  CHECK(alone({.stride = 2, .count = 8}, 16).network.bandwidth == 20_GBps);
  CHECK(alone({.stride = 1, .count = 16}, 16).network.bandwidth == 10_GBps);
  // One of four NICs sends over the spine, which carries half of their rate.
  CHECK(network_bandwidth(alone({.stride = 8, .count = 8}, 64), 1) == 20_GBps);
  CHECK(network_bandwidth(alone({.stride = 1, .count = 64}, 64), 1) == 5_GBps);
  CHECK(alone({.stride = 1, .count = 3}, 24).one_domain());  // though its siblings may cross nodes
}

TEST_CASE("switches that reduce say so") {
  Cluster toy = toy_machine();
  toy.scale_up.in_switch_reduction.value = true;
  toy.network->in_network_reduction.value = true;
  const Communicator c = place({.stride = 1, .count = 16}, toy, 16);
  CHECK(c.scale_up.reduces_in_switch);
  CHECK(c.network.reduces_in_switch);
}

TEST_CASE("an assumed link makes the cost assumed, where it is used") {
  Cluster toy = toy_machine();
  toy.network->latency.source = "assumed";
  CHECK(place({.stride = 1, .count = 8}, toy, 16).basis == Basis::Formula);
  CHECK(place({.stride = 1, .count = 16}, toy, 16).basis == Basis::Assumed);
  toy = toy_machine();
  toy.scale_up.bandwidth_efficiency.source = "";
  CHECK(place({.stride = 1, .count = 8}, toy, 16).basis == Basis::Assumed);
}

TEST_CASE("a job that needs a network the machine lacks is refused") {
  Cluster single = toy_machine();
  single.network.reset();
  CHECK(placed({.stride = 1, .count = 8}, single, 8) == Shape{8, 8, 1, 1});
  CHECK_THROWS_AS(place({.stride = 1, .count = 12}, single, 12), InputError);
  CHECK_THROWS_WITH(
      place({.stride = 1, .count = 12}, single, 12),
      Equals("cluster toy has no network: 12 ranks do not fit its scale-up domain of 8"));
}

TEST_CASE("a communicator parts into domains and what joins them") {
  const Communicator whole = place({.stride = 1, .count = 64}, toy_machine(), 64);
  CHECK(shape_of(inside_domain(whole)) == Shape{8, 8, 1, 1});
  CHECK(shape_of(between_domains(whole)) == Shape{8, 1, 8, 2});
  CHECK(between_domains(whole).network.bandwidth == whole.network.bandwidth);
  const Communicator node = place({.stride = 1, .count = 8}, toy_machine(), 8);
  CHECK(shape_of(inside_domain(node)) == shape_of(node));
  CHECK(shape_of(between_domains(node)) == Shape{1, 1, 1, 1});
}
