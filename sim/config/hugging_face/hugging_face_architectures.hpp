#pragma once

#include <string>

#include "sim/model/model.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// How an architecture encodes positions.
enum class TokenPositions { Rotary, Learned, Neither };

/// Kinds of layers of a model: all transformer layers; all state-space layers; a pattern that names
/// each layer; full attention of another width than sliding attention; or a list of blocks.
enum class LayerKinds { Transformer, StateSpace, Pattern, TwoWidths, Blocks };

class HuggingFaceKeys;

/// Functions that read the layers of a hybrid from its keys.
struct HybridKeys {
  /// One letter a layer (sim/model/hybrid_layers.hpp).
  std::string (*pattern)(HuggingFaceKeys&, const TransformerLayers&);
  StateSpaceLayers (*state_space)(HuggingFaceKeys&, int hidden);
};

/// Products and norms that have biases.
struct Biases {
  bool query_key_value = false;
  bool products = false;  ///< all products, those three included
  bool norms = false;
};

/// Default of each dimension in the architecture's code if its key is absent; 0: the key is
/// required.
struct DefaultDimensions {
  int layers = 0;
  int hidden = 0;
  int width = 0;  ///< of the MLP
  int limit = 0;  ///< maximum tokens of a sample
  int heads = 0;
  int groups = 0;  ///< of keys and values; 0 without `needs_groups`: as many as heads
  int head_size = 0;
  int vocabulary = 0;
};

/// Properties that an architecture's code fixes, and its defaults of absent keys: an entry of
/// architectures.yaml.
struct HuggingFaceArchitecture {
  std::string type{};
  bool gated = true;
  TokenPositions positions = TokenPositions::Rotary;
  Biases biases{};
  std::string bias_key = "bias";  ///< key that switches the biases of products
  int norms = 2;
  bool query_key_norms = false;       ///< default of `use_qk_norm`
  bool bare_query_key_norms = false;  ///< without parameters
  bool output_gate = false;           ///< default of `attn_output_gate`
  bool tied = false;
  bool needs_head_size = false;  ///< its default is not hidden / heads
  bool needs_groups = false;     ///< its default of key_value_heads is not heads
  bool needs_experts = false;
  bool has_latent = false;
  bool has_default_width = false;  ///< feed_forward defaults to 4 x hidden
  bool has_width_of_two = false;   ///< the stated width is that of gate and up together
  bool is_parallel = false;        ///< attention and MLP take the same input
  double window_share = 0;         ///< default share of layers with a sliding window
  int full_every = 0;              ///< every n-th layer attends to all; 0: see `window_share`
  int shared_experts = 0;          ///< default number
  /// An MLP of the dense width beside the experts, for all tokens.
  bool dense_beside_experts = false;
  bool output_biases = false;           ///< of the output projection
  int extra_positions = 0;              ///< rows of the position table without a token
  bool counts_extra_positions = false;  ///< true if the file's limit includes them
  DefaultDimensions typical{};
  /// Defaults inside a `text_config`, which states only values that differ from them.
  DefaultDimensions typical_text{};
  bool is_encoder = false;
  LayerKinds layers = LayerKinds::Transformer;
  HybridKeys hybrid{};  ///< for `LayerKinds::Pattern`
  /// Keys that files of the architecture state and its code does not read: names and patterns,
  /// separated by blanks.
  std::string idle{};
};

}  // namespace config
}  // namespace tofn
