#include "sim/model/stages.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/memory/layers.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("layers are spread over virtual stages, ends come on top") {
  Plan plan;
  plan.pipeline_parallel_size = 2;
  plan.chunks_per_stage = 2;
  const auto placed = place_layers(plain_layers(10), plan);
  REQUIRE(placed.size() == 4);
  REQUIRE(placed[0].size() == 2);
  CHECK(placed[0][0].layer == 0);
  CHECK(placed[0][1].layer == 1);
  CHECK(placed[0][1].count == 3);
  CHECK(placed[1][0].count == 2);
  CHECK(placed[2][0].count == 3);
  REQUIRE(placed[3].size() == 2);
  CHECK(placed[3][0].count == 2);
  CHECK(placed[3][1].layer == 2);
  CHECK(refusal([&] { place_layers(plain_layers(3), plan); }) ==
        "2 pipeline stages x 2 chunks need as many layers, the model has 3");
}

TEST_CASE("stages hold as many layers as they are told to") {
  Plan plan;
  plan.pipeline_parallel_size = 3;
  const auto placed = place_layers(plain_layers(10), plan, std::vector{5, 1, 4});
  REQUIRE(placed.size() == 3);
  CHECK(placed[0][1].count == 5);
  CHECK(placed[1][0].count == 1);
  CHECK(placed[2][0].count == 4);
  CHECK(placed[2][1].layer == 2);
}

TEST_CASE("layers tell what a plan may ask of them") {
  auto layers = plain_layers(10);
  CHECK(plan_limits(layers).layers == 10);
  CHECK_FALSE(plan_limits(layers).has_experts);
  CHECK_FALSE(plan_limits(layers).has_attention);
  layers[1].expert_parameters = 1;
  layers[1].forward.kernels = {attention_kernel()};
  CHECK(plan_limits(layers).has_experts);
  CHECK(plan_limits(layers).has_attention);
}
