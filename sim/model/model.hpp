#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sim/workload/workload.hpp"

namespace tofn {

/// Transformer layers of one shape: encoder, decoder, grouped-query, gated, mixture of experts.
struct TransformerLayers {
  int count = 1;
  int hidden = 0;
  int feed_forward = 0;
  int heads = 0;
  int key_value_heads = 0;  ///< equal to `heads` without grouped queries
  int head_size = 0;
  bool gated = false;  ///< gate, up and down in place of two products
  bool biases = true;
  bool causal = true;
  bool fused_attention = true;  ///< one kernel that keeps scores on chip
  bool dropout = false;
  int experts = 1;
  int experts_per_token = 1;
  int lora_rank = 0;  ///< of adapters on the attention's products; 0: all parameters train
};

/// Token (and position) embeddings, and the product with the vocabulary and its loss.
struct Vocabulary {
  int size = 0;
  int hidden = 0;
  int positions = 0;  ///< learnt ones
  bool tied = false;
};

/// `count` equal convolutions, each with its norm and activation where it has them.
struct Convolution {
  int count = 1;
  int inputs = 0;  ///< channels
  int outputs = 0;
  int kernel = 1;
  int stride = 1;
  int height = 0;  ///< of the output, as is `width`
  int width = 0;
  int groups = 1;
  bool norm = true;
  bool activation = true;
  bool frozen = false;
};

/// Attention over an image's positions, to itself or to a text (U-Net).
struct ImageAttention {
  int count = 1;
  int channels = 0;
  int heads = 0;
  int positions = 0;
  int context_positions = 0;  ///< 0: to itself
  int context_channels = 0;
};

struct ModelPart {
  std::string name;
  std::variant<TransformerLayers, Vocabulary, Convolution, ImageAttention> shape;
};

/// A network by its dimensions, in forward order. Everything else follows.
struct Model {
  std::string name;
  std::string title;
  std::string source;
  std::vector<ModelPart> parts;
  double sequence_length = 0;  ///< tokens of one sample; 0 for images
  Precision precision = Precision::Bf16;
};

/// Parameters of the whole model.
double parameters(const Model&);
double trainable_parameters(const Model&);
/// Forward and backward of one sample, without recomputation.
Flops model_flops(const Model&);

}  // namespace tofn
