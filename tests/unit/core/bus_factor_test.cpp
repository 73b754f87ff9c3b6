#include "sim/core/bus_factor.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("bus factors are those that nccl-tests prints") {
  // Factors busbw / algbw of nccl-tests' logs on 8 ranks: 1.75 for all_reduce_perf, 0.875 for the
  // scattered ones.
  CHECK(bus_factor("all-reduce", 8) == 1.75);
  CHECK(bus_factor("reduce-scatter", 8) == 0.875);
  CHECK(bus_factor("all-gather", 8) == 0.875);
  CHECK(bus_factor("all-to-all", 8) == 0.875);
  for (const char* once : {"broadcast", "send-receive-ring", "send-receive-pairs"}) {
    CHECK(bus_factor(once, 8) == 1.0);
    CHECK(bus_factor(once, 2) == 1.0);
  }
}

TEST_CASE("on two ranks an all-reduce is as fast as its bus, on one nothing crosses it") {
  CHECK(bus_factor("all-reduce", 2) == 1.0);
  CHECK(bus_factor("all-gather", 2) == 0.5);
  CHECK(bus_factor("all-reduce", 1) == 0.0);
  CHECK(bus_factor("all-to-all", 1) == 0.0);
}

TEST_CASE("an operation that is not listed has no bus factor") {
  CHECK(!bus_factor("allreduce", 8));
  CHECK(!bus_factor("", 8));
  CHECK(bus_operations().size() == 7);
  for (const std::string& operation : bus_operations()) CHECK(bus_factor(operation, 4));
}
