#include "sim/measurements/stated_placement.hpp"

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
