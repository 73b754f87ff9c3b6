#include "microbench/collective/operation.hpp"

#include <vector>

#include "sim/core/bus_factor.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

TEST_CASE("operations are those that the bus factor knows") {
  std::vector<std::string> names;
  for (const Operation& each : operations()) names.emplace_back(each.name);
  CHECK(names == std::vector<std::string>(bus_operations().begin(), bus_operations().end()));
}

TEST_CASE("operations are found by name, with either dash") {
  CHECK(operation("all-reduce").name == "all-reduce");
  CHECK(operation("reduce_scatter").name == "reduce-scatter");
  CHECK(refusal([] { operation("allreduce"); }) ==
        "--op: unknown operation 'allreduce', did you mean 'all-reduce'? valid operations: "
        "all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, send-receive-ring, "
        "send-receive-pairs");
}

TEST_CASE("partners are half the group away, and partners of each other") {
  for (const int size : {2, 4, 6, 16})
    for (int rank = 0; rank < size; ++rank) {
      const int partner = partner_of({.rank = rank, .size = size});
      CHECK(std::abs(partner - rank) == size / 2);
      CHECK(partner_of({.rank = partner, .size = size}) == rank);
    }
}

TEST_CASE("one rank does nothing, and pairs need an even number") {
  for (const Operation& each : operations()) {
    CHECK_FALSE(each.is_possible_on(1));
    CHECK(each.is_possible_on(2));
    CHECK(each.is_possible_on(3) == (each.name != "send-receive-pairs"));
    CHECK(each.is_possible_on(4));
  }
}
