#include "sim/simulation/stages.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::vector<LayerWork> gpt(int layers) {
  return {{.name = "embedding", .place = StagePlace::First},
          {.name = "layer", .count = layers},
          {.name = "vocabulary", .place = StagePlace::Last}};
}

/// Layers of each kind in each virtual stage: `e2 2 2v`.
std::string text(const std::vector<LayerWork>& layers, const Plan& plan) {
  std::string all;
  for (const auto& stage : place_layers(layers, plan)) {
    if (!all.empty()) all += ' ';
    for (const LayerShare& share : stage)
      all += layers[share.layer].place == StagePlace::First  ? "e"
             : layers[share.layer].place == StagePlace::Last ? "v"
                                                             : std::to_string(share.count);
  }
  return all;
}

}  // namespace

TEST_CASE("layers spread evenly; the embedding comes first and the vocabulary last") {
  CHECK(text(gpt(8), {}) == "e8v");
  CHECK(text(gpt(8), {.pipeline_parallel_size = 4}) == "e2 2 2 2v");
  CHECK(text(gpt(8), {.pipeline_parallel_size = 2, .chunks_per_stage = 2}) == "e2 2 2 2v");
  CHECK(text(gpt(10), {.pipeline_parallel_size = 4}) == "e3 2 3 2v");
  CHECK(text({{.name = "a", .count = 3}, {.name = "b", .count = 3}},
             {.pipeline_parallel_size = 2}) == "3 3");
  CHECK(text({{.name = "a", .count = 2}, {.name = "b", .count = 4}},
             {.pipeline_parallel_size = 2}) == "21 3");
}

TEST_CASE("a pipeline needs a layer for each of its stages and chunks") {
  CHECK(refusal([] {
          place_layers(gpt(7), {.pipeline_parallel_size = 4, .chunks_per_stage = 2});
        }) == "4 pipeline stages x 2 chunks need as many layers, the model has 7");
}
