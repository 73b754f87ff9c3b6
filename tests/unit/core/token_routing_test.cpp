#include "sim/core/token_routing.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a token meets the blocks that hold any of its experts") {
  // 2 of 4 experts on 2 ranks: both are on one rank with probability 1/3.
  CHECK_THAT(expected_blocks({.experts = 4, .experts_per_token = 2}, 2), WithinRel(5.0 / 3, 1e-12));
  // A token reaches as many ranks as it has experts if each has its own rank, and one if one has
  // all.
  CHECK_THAT(expected_blocks({.experts = 8, .experts_per_token = 3}, 8), WithinRel(3.0, 1e-12));
  CHECK_THAT(expected_blocks({.experts = 8, .experts_per_token = 3}, 1), WithinRel(1.0, 1e-12));
  // A token with all experts reaches all ranks.
  CHECK_THAT(expected_blocks({.experts = 8, .experts_per_token = 8}, 4), WithinRel(4.0, 1e-12));
}

TEST_CASE("node-limited routing meets no more nodes than groups") {
  // 2 of 8 experts, both in one of 4 groups of two: one node of 4, but always both ranks of 8.
  const TokenRouting pairs{
      .experts = 8, .experts_per_token = 2, .groups = 4, .groups_per_token = 1};
  CHECK_THAT(expected_blocks(pairs, 4), WithinRel(1.0, 1e-12));
  CHECK_THAT(expected_blocks(pairs, 8), WithinRel(2.0, 1e-12));
  CHECK_THAT(expected_blocks(pairs, 2), WithinRel(1.0, 1e-12));
  // Two of four groups, with two groups on each node: both are on one node with probability 1/3.
  const TokenRouting two{.experts = 8, .experts_per_token = 4, .groups = 4, .groups_per_token = 2};
  CHECK_THAT(expected_blocks(two, 2), WithinRel(5.0 / 3, 1e-12));
}

// Limited tokens by hand: 4 (1 - C(96, 8) / C(128, 8)).
TEST_CASE("DeepSeek-V3's tokens reach 3.6 of 8 nodes, where free ones reach 5.3") {
  const TokenRouting limited{
      .experts = 256, .experts_per_token = 8, .groups = 8, .groups_per_token = 4};
  CHECK_THAT(expected_blocks(limited, 8), WithinRel(3.62901, 1e-5));
  CHECK_THAT(expected_blocks({.experts = 256, .experts_per_token = 8}, 8),
             WithinRel(5.29465, 1e-5));
}
