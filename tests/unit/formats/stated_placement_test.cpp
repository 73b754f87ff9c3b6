#include "sim/formats/text/stated_placement.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a name's collective is found however it is spelled, and none where it holds two") {
  CHECK(collective_named("all_reduce_perf") == CollectiveKind::AllReduce);
  CHECK(collective_named("Reduce-Scatter") == CollectiveKind::ReduceScatter);
  CHECK(collective_named("bcast (broadcast)") == CollectiveKind::Broadcast);
  CHECK(collective_named("sendrecv") == CollectiveKind::SendReceive);
  CHECK_FALSE(collective_named("allreduce-allgather"));
  CHECK_FALSE(collective_named("gather"));
}

TEST_CASE("a sentence's nodes and ranks are told in its own words") {
  const StatedPlacement placement = placement_of_sentence("measured on 64 nodes x 4 GH200, idle");
  CHECK(placement.nodes == 64);
  CHECK(placement.ranks_per_node == 4);
  CHECK(placement.stated == "64 nodes x 4");
  CHECK(placement_of_sentence("of 2 nodes").stated == "2 nodes");
  CHECK_FALSE(placement_of_sentence("2 nodes, then 4 nodes").nodes);
}
