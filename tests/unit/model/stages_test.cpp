#include "sim/model/stages.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/memory/layers.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("layers are spread over virtual stages, ends come on top") {
  Plan plan;
  plan.pipeline_parallel_size = 2;
  plan.chunks_per_stage = 2;
  plan.gradient_accumulation = 2;
  const auto placed = place_layers(plain_layers(12), plan);
  REQUIRE(placed.size() == 4);
  REQUIRE(placed[0].size() == 2);
  CHECK(placed[0][0].layer == 0);
  CHECK(placed[0][1].layer == 1);
  CHECK(placed[0][1].count == 3);
  CHECK(placed[1][0].count == 3);
  CHECK(placed[2][0].count == 3);
  REQUIRE(placed[3].size() == 2);
  CHECK(placed[3][0].count == 3);
  CHECK(placed[3][1].layer == 2);
  CHECK(refusal([&] { place_layers(plain_layers(1), plan); }) ==
        "2 stages x 2 chunks are too many for 1 layers: some would hold nothing");
}

namespace {

/// Number of movable layers on each virtual stage.
std::vector<int> counts(const std::vector<LayerWork>& layers, const Plan& plan) {
  std::vector<int> found;
  const PlacedLayers placed = place_layers(layers, plan);
  for (std::size_t stage = 0; stage < placed.size(); ++stage) {
    found.push_back(0);
    for (const LayerShare& share : placed[stage])
      if (layers[share.layer].place == StagePlace::Spread) found.back() += share.count;
  }
  return found;
}

}  // namespace

TEST_CASE("where stages do not divide the layers, the ends hold fewer") {
  const auto spread = [](int layers, int stages) {
    return counts(plain_layers(layers), {.pipeline_parallel_size = stages});
  };
  // BLOOM's 70 layers on 12 stages (arXiv 2211.05100), Llama 3's 126 on 16 (arXiv 2407.21783),
  // DeepSeek-V3's 61.
  CHECK(spread(70, 12) == std::vector{5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5});
  CHECK(spread(126, 16) == std::vector{7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7});
  CHECK(spread(61, 16) == std::vector{3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2});
  CHECK(spread(30, 4) == std::vector{7, 8, 8, 7});
  CHECK(spread(62, 8) == std::vector{7, 8, 8, 8, 8, 8, 8, 7});
  CHECK(spread(96, 8) == std::vector<int>(8, 12));
  // Embedding and head are each a stage (Llama 3 405B, 16 stages of 8 chunks).
  CHECK(spread(14, 16) == std::vector{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0});

  const Plan plan{.pipeline_parallel_size = 2, .gradient_accumulation = 2, .chunks_per_stage = 2};
  CHECK(counts(plain_layers(10), plan) == std::vector{2, 3, 3, 2});
  CHECK(counts(plain_layers(11), plan) == std::vector{3, 3, 3, 2});
  CHECK(counts(plain_layers(9), plan) == std::vector{2, 3, 3, 1});
  const Plan llama{
      .pipeline_parallel_size = 16, .gradient_accumulation = 16, .chunks_per_stage = 4};
  const auto found = counts(plain_layers(126), llama);
  CHECK(found.front() == 1);
  CHECK(found.back() == 1);
  CHECK(std::count(found.begin(), found.end(), 2) == 62);
}

TEST_CASE("balanced stages count the head by its parameters") {
  auto layers = plain_layers(24);
  layers[1].parameters = 1;
  layers[2].parameters = 2.45;  // Llama-1B of nanotron: 50257 x 2048 over 42 million
  const auto balanced = [&](int stages) {
    Plan plan{.pipeline_parallel_size = stages};
    plan.balanced_stages = true;
    return stage_layers(layers, plan).counts;
  };
  CHECK(balanced(2) == std::vector{14, 10});
  CHECK(balanced(4) == std::vector{7, 7, 6, 4});
  CHECK(balanced(8) == std::vector{4, 3, 3, 4, 3, 3, 4, 0});
  layers[2].parameters = 100;  // earlier stages have at least one layer each
  CHECK(balanced(4) == std::vector{22, 1, 1, 0});
  layers[2].parameters = 0;
  CHECK(balanced(4) == std::vector{7, 6, 6, 5});
}

TEST_CASE("stages hold as many layers as they are told to") {
  Plan plan;
  plan.pipeline_parallel_size = 3;
  plan.stage_layers = {{5, 1, 4}};
  const auto placed = place_layers(plain_layers(10), plan);
  REQUIRE(placed.size() == 3);
  CHECK(placed[0][1].count == 5);
  CHECK(placed[1][0].count == 1);
  CHECK(placed[2][0].count == 4);
  CHECK(placed[2][1].layer == 2);
  CHECK(to_text(plan.stage_layers) == "5 + 1 + 4");
  const Plan llama{.pipeline_parallel_size = 16};
  CHECK(to_text(stage_layers(plain_layers(126), llama)) == "7 + 14 x 8 + 7");
}

TEST_CASE("layers tell what a plan may ask of them") {
  auto layers = plain_layers(10);
  CHECK(plan_limits(layers).layers == 10);
  CHECK(plan_limits(layers).has_ends);
  CHECK_FALSE(plan_limits(std::span(layers).first(2)).has_ends);
  CHECK_FALSE(plan_limits(layers).has_experts);
  CHECK_FALSE(plan_limits(layers).has_attention);
  layers[1].expert_parameters = 1;
  layers[1].forward.kernels = {attention_kernel()};
  CHECK(plan_limits(layers).has_experts);
  CHECK(plan_limits(layers).has_attention);
}

TEST_CASE("a part whose layers are not counted is one layer") {
  const TransformerLayers transformer{
      .hidden = 64, .feed_forward = 256, .heads = 4, .key_value_heads = 4, .head_size = 16};
  const StateSpaceLayers scan{.hidden = 64, .heads = 8, .head_size = 16, .state_size = 16};
  const Convolution convolution{.inputs = 3, .outputs = 8, .height = 32, .width = 32};
  Model model;
  model.sequence_length = 128;
  model.parts = {{"t", transformer}, {"s", scan}, {"c", convolution}};
  for (const LayerWork& layer : layer_work(model, Plan{})) {
    INFO(layer.name);
    CHECK(layer.count == 1);
  }
}
