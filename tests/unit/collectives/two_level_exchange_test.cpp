#include "sim/collectives/algorithms/two_level_exchange.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr TokenRouting two_of_sixteen{.experts = 16, .experts_per_token = 2};

Communicator experts_on(int ranks) {
  return place({.stride = 1, .count = ranks}, toy_machine(), ranks);
}

}  // namespace

TEST_CASE("a token crosses the network once to each domain that it needs") {
  // 2 of 16 experts on two nodes of 8 are in one node with probability 2 x C(8, 2) / C(16, 2) =
  // 7/15, so a token reaches 23/15 nodes, half of them its own. It reaches two ranks, each on the
  // sender's rail with probability 1/8.
  const LinkTraffic moved = two_level_traffic(30_MB, two_of_sixteen, experts_on(16));
  CHECK_THAT(moved.network / 1_MB, WithinRel(23.0, 1e-12));
  CHECK_THAT(moved.scale_up / 1_MB, WithinRel(2 * 30 * 7.0 / 8, 1e-12));
  const LinkTraffic inside =
      two_level_traffic(30_MB, {.experts = 8, .experts_per_token = 8}, experts_on(8));
  CHECK(inside.network == Bytes{});
  CHECK_THAT(inside.scale_up / 1_MB, WithinRel(7 * 30.0, 1e-12));
}

TEST_CASE("both levels work at once, at the pace of the slower one") {
  // 23 MB take 0.91 x 10 GB/s, with one hop of each tier.
  CHECK_THAT(two_level_cost(30_MB, two_of_sixteen, experts_on(16)).time / 1_us,
             WithinRel(1 + 5 + 23e3 / 9.1, 1e-12));
  // 210 MB take 0.77 x 100 GB/s.
  const TokenRouting all{.experts = 8, .experts_per_token = 8};
  CHECK_THAT(two_level_cost(30_MB, all, experts_on(8)).time / 1_us,
             WithinRel(1 + 210e3 / 77, 1e-12));
  CHECK(two_level_cost(30_MB, all, experts_on(1)).time == Seconds{});
  CHECK(two_level_cost({}, all, experts_on(8)).time == Seconds{});  // nothing is sent
}

// The few multiprocessors of the exchange cannot fill the links of a B200.
TEST_CASE("kernels of the exchange move 460 GB/s at most in a domain") {
  Communicator wide = experts_on(8);
  wide.scale_up.bandwidth = 900_GBps;
  const TokenRouting all{.experts = 8, .experts_per_token = 8};
  CHECK_THAT(two_level_cost(30_MB, all, wide).time / 1_us, WithinRel(1 + 210e3 / 460, 1e-12));
}

// DeepEP, docs/legacy.md: H800, 4096 tokens of 7168, 8 experts of 256 in 4 groups at most, in 8
// bits; GB/s of the slower level, including the share that stays. Collectives reach 173 and 48.5
// GB/s.
TEST_CASE("DeepEP's published bandwidths come out within a tenth") {
  const auto logical = [](int nodes, int groups) {
    Communicator c;
    c.ranks = 8 * nodes;
    c.ranks_per_domain = 8;
    c.domains = nodes;
    c.scale_up.bandwidth = 173_GBps;
    c.network.bandwidth = 48.5_GBps;
    const TokenRouting routing{.experts = 256,
                               .experts_per_token = 8,
                               .groups = groups,
                               .groups_per_token = std::min(groups, 4)};
    const double copies = expected_blocks(routing, nodes > 1 ? nodes : 8);
    return copies * 30_MB / two_level_cost(30_MB, routing, c).time / 1_GBps;
  };
  CHECK_THAT(logical(1, 1), WithinRel(153.0, 0.1));
  CHECK_THAT(logical(2, 2), WithinRel(43.0, 0.1));
  CHECK_THAT(logical(4, 4), WithinRel(58.0, 0.1));
  CHECK_THAT(logical(8, 8), WithinRel(51.0, 0.1));
}
