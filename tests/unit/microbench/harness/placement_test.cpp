#include "microbench/harness/placement.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

using Numbers = std::vector<int>;
using Hosts = std::vector<std::string>;
using GroupOfRank = std::vector<std::optional<int>>;

/// Three ranks on a, two on b, one on c, as a round-robin launcher numbers them.
const Hosts uneven{"a", "b", "c", "a", "b", "a"};

}  // namespace

TEST_CASE("a node is a host, in order of appearance") {
  const Placement placement = place(uneven, {});
  CHECK(placement.node == Numbers{0, 1, 2, 0, 1, 0});
  CHECK(placement.local == Numbers{0, 0, 0, 1, 1, 2});
  CHECK(placement.nodes == 3);
  CHECK(placement.ranks() == 6);
  CHECK(placement.ranks_on(0) == 3);
  CHECK(placement.ranks_on(1) == 2);
  CHECK(placement.ranks_on(2) == 1);
}

TEST_CASE("neighbours can stand for a node, whatever their hosts") {
  const Placement placement = place(uneven, 2);
  CHECK(placement.node == Numbers{0, 0, 1, 1, 2, 2});
  CHECK(placement.local == Numbers{0, 1, 0, 1, 0, 1});
  CHECK(placement.nodes == 3);
  CHECK(refusal([] { place(uneven, 4); }) == "--ranks-per-node: 4 does not divide the 6 ranks");
  CHECK(refusal([] { place(uneven, 12); }) == "--ranks-per-node: 12 does not divide the 6 ranks");
  CHECK(place(uneven, 6).nodes == 1);
}

TEST_CASE("groups of uneven nodes") {
  const Placement placement = place(uneven, {});
  const Groups world = groups_of(placement, GroupKind::World);
  CHECK(world.of_rank == GroupOfRank(6, 0));
  CHECK(world.count == 1);
  CHECK(world.size == 6);
  CHECK(world.nodes == 3);

  const Groups node = groups_of(placement, GroupKind::Node);
  CHECK(node.of_rank == GroupOfRank{0, 1, 2, 0, 1, 0});
  CHECK(node.count == 3);
  CHECK(node.size == 3);
  CHECK(node.nodes == 1);

  const Groups leaders = groups_of(placement, GroupKind::Leaders);
  CHECK(leaders.of_rank == GroupOfRank{0, 0, 0, {}, {}, {}});
  CHECK(leaders.count == 1);
  CHECK(leaders.size == 3);
  CHECK(leaders.nodes == 3);

  const Groups rails = groups_of(placement, GroupKind::Rails);
  CHECK(rails.of_rank == GroupOfRank{0, 0, 0, 1, 1, 2});
  CHECK(rails.count == 3);
  CHECK(rails.size == 3);
  CHECK(rails.nodes == 3);
}

TEST_CASE("groups of even nodes") {
  const Placement placement = place(Hosts(8, "only"), 4);
  const Groups node = groups_of(placement, GroupKind::Node);
  CHECK(node.of_rank == GroupOfRank{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(node.count == 2);
  CHECK(node.size == 4);
  CHECK(node.nodes == 1);
  const Groups rails = groups_of(placement, GroupKind::Rails);
  CHECK(rails.of_rank == GroupOfRank{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(rails.count == 4);
  CHECK(rails.size == 2);
  CHECK(rails.nodes == 2);
}

TEST_CASE("every kind of group has its name") {
  CHECK(to_text(GroupKind::World) == "world");
  CHECK(to_text(GroupKind::Node) == "node");
  CHECK(to_text(GroupKind::Leaders) == "leaders");
  CHECK(to_text(GroupKind::Rails) == "rails");
}
