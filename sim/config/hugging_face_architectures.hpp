#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

/// How a model of Hugging Face's tells positions.
enum class TokenPositions { Rotary, Learnt, Neither };

/// Of what kinds its layers are: all of them transformer layers or of a state space, each as a
/// pattern names it, with attention of another width where they see all, or each as a list says.
enum class LayerKinds { Transformer, StateSpace, Pattern, TwoWidths, Blocks };

class HuggingFaceKeys;

/// How a hybrid's keys tell of its layers.
struct HybridKeys {
  /// As letters (sim/model/hybrid_layers.hpp).
  std::string (*pattern)(HuggingFaceKeys&, const TransformerLayers&);
  StateSpaceLayers (*state_space)(HuggingFaceKeys&, int hidden);
};

/// Which of its products and norms have them.
struct Biases {
  bool query_key_value = false;
  bool products = false;  ///< all of them, those three too
  bool norms = false;
};

/// What the code of an architecture takes where a key is absent; 0: the key is needed.
struct UsualDimensions {
  int layers = 0;
  int hidden = 0;
  int width = 0;  ///< of the MLP
  int limit = 0;  ///< tokens of a sample at most
  int heads = 0;
  int groups = 0;  ///< of keys and values; 0 without `needs_groups`: as many as heads
  int head_size = 0;
  int vocabulary = 0;
};

/// What the code of an architecture fixes, and what it takes where a key is absent.
struct HuggingFaceArchitecture {
  std::string_view type;
  bool gated = true;
  TokenPositions positions = TokenPositions::Rotary;
  Biases biases{};
  std::string_view bias_key = "bias";  ///< the switch of its products' biases
  int norms = 2;
  bool query_key_norms = false;       ///< where `use_qk_norm` does not say it
  bool bare_query_key_norms = false;  ///< those have no parameters
  bool output_gate = false;           ///< where `attn_output_gate` does not say it
  bool tied = false;
  bool needs_head_size = false;  ///< its default is not hidden / heads
  bool needs_groups = false;     ///< its default of key_value_heads is not heads
  bool needs_experts = false;
  bool has_latent = false;
  bool has_default_width = false;     ///< feed_forward is 4 x hidden where absent
  bool has_width_of_two = false;      ///< what it states is that of gate and up together
  bool is_parallel = false;           ///< attention and MLP take the same input
  double window_share = 0;            ///< of its layers that have the window, where no key says it
  int full_every = 0;                 ///< of that many layers the last attends to all; 0: see above
  int shared_experts = 0;             ///< where no key says it
  bool dense_beside_experts = false;  ///< an MLP of the dense width, which all tokens go through
  bool output_biases = false;         ///< of the product with the vocabulary
  int extra_positions = 0;            ///< rows of the table that no token has
  bool counts_extra_positions = false;  ///< in the limit that the file says
  UsualDimensions usual{};
  UsualDimensions usual_text{};  ///< likewise in a `text_config`, which states what is not as usual
  bool is_encoder = false;
  LayerKinds layers = LayerKinds::Transformer;
  HybridKeys hybrid{};  ///< of a pattern
  /// Keys that its files state and its code does not read, names and patterns that blanks part.
  std::string_view idle{};
};

/// That which a `model_type` names; null: nobody knows it here.
const HuggingFaceArchitecture* architecture_named(std::string_view type);

/// A `model_type` that is known, and the one whose layers it has.
struct HuggingFaceType {
  std::string name;
  std::string of;
};
/// All of them, by name.
std::vector<HuggingFaceType> hugging_face_types();

}  // namespace config
}  // namespace tofn
