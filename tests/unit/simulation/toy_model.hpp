#pragma once

#include "sim/model/model.hpp"

namespace tofn::test {

/// A GPT of four layers, small enough to compute by hand.
inline Model toy_model() {
  Model model;
  model.name = "toy";
  model.sequence_length = 512;
  model.parts = {
      {.name = "vocabulary",
       .shape = Vocabulary{.size = 32000, .hidden = 1024, .positions = 512, .tied = true}},
      {.name = "layer",
       .shape = TransformerLayers{.count = 4,
                                  .hidden = 1024,
                                  .feed_forward = 4096,
                                  .heads = 16,
                                  .key_value_heads = 16,
                                  .head_size = 64,
                                  .fused_attention = false,
                                  .dropout = true}}};
  return model;
}

/// A mixture of experts with the same dimensions.
inline Model toy_mixture() {
  Model model = toy_model();
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  layers.experts = 8;
  layers.experts_per_token = 2;
  return model;
}

}  // namespace tofn::test
