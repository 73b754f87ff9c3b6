#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/cluster/precision.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/token_routing.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// Multi-head latent attention (arXiv 2405.04434, section 2.1): keys and values of all heads are
/// made of one narrow row a token, queries too where they have a rank.
struct LatentAttention {
  int query_rank = 0;  ///< 0: queries are made of the layer's input
  int key_value_rank = 0;
  int rotary_head_size = 0;  ///< of `head_size` what bears positions; of keys all heads share it
  int value_head_size = 0;
  /// Heads of the index that chooses whom a token attends to, `index_keys` at most (sparse
  /// attention: arXiv 2512.02556, section 2.1); 0: it attends to all before it.
  int index_heads = 0;
  int index_head_size = 0;
  int index_keys = 0;

  double index_query_width() const { return 1.0 * index_heads * index_head_size; }
};

/// Products of a transformer layer that LoRA's adapters may stand beside, by the names of
/// Megatron-LM, whose products of one input are one, and of Hugging Face.
enum class LoraTarget { QueryKeyValue, Query, Key, Value, Output, GateUp, Gate, Up, Down };
inline constexpr std::array<std::pair<std::string_view, LoraTarget>, 11> lora_targets{
    {{"linear_qkv", LoraTarget::QueryKeyValue},
     {"linear_proj", LoraTarget::Output},
     {"linear_fc1", LoraTarget::GateUp},
     {"linear_fc2", LoraTarget::Down},
     {"q_proj", LoraTarget::Query},
     {"k_proj", LoraTarget::Key},
     {"v_proj", LoraTarget::Value},
     {"o_proj", LoraTarget::Output},
     {"gate_proj", LoraTarget::Gate},
     {"up_proj", LoraTarget::Up},
     {"down_proj", LoraTarget::Down}}};
constexpr const auto& names_of(LoraTarget) { return lora_targets; }

/// Tokens of the busiest expert-parallel rank over the mean where nothing makes routers balance:
/// what makes Qwen3-235B on 256 H100 (16k to 128k tokens) as much slower as it was measured to be
/// without forced balance, 237 against 295, 277 against 335, 320 against 368 and 357 against 389
/// TFLOP/s (github.com/yanring/Megatron-MoE-ModelZoo@e865051, best_practice/qwen3/readme.md).
inline constexpr double natural_imbalance = 1.5;

/// Transformer layers of one shape: encoder, decoder, grouped-query, gated, mixture of experts.
/// Without heads they are an MLP alone, without a feed-forward width attention alone: a residual
/// branch with its norm, as hybrid models have them.
struct TransformerLayers {
  int count = 1;
  int hidden = 0;
  int feed_forward = 0;
  int heads = 0;
  int key_value_heads = 0;  ///< equal to `heads` without grouped queries
  int head_size = 0;
  bool gated = false;  ///< gate, up and down in place of two products
  bool biases = true;  ///< of products and of norms (LayerNorm); without them RMSNorm
  std::optional<bool> query_key_value_biases{};  ///< of these products; absent: as `biases`
  std::optional<bool> norm_biases{};             ///< likewise
  int norms = 2;                                 ///< 4: of each branch's output too
  bool query_key_norms = false;                  ///< of each head, its weights shared by all
  bool output_gate = false;  ///< the product to queries also makes a gate of what the heads give
  bool rotary = false;
  bool causal = true;
  bool fused_attention = true;    ///< one kernel that keeps scores on chip
  bool keeps_activation = false;  ///< of gated products: the activation function is a kernel apart
  bool keeps_gathered = false;    ///< inputs that sequence parallelism gathered stay whole
  /// Experts' answers, which the router's gradient needs where they are weighed on their way back;
  /// who weighs experts' inner activations keeps none (Megatron-LM's memory-efficient permutation,
  /// megatron/core/transformer/moe/README.md), nor do kernels that bring back sums.
  bool keeps_answers = true;
  std::optional<SelectiveRecompute> selective_recompute{};  ///< absent: the attention core
  bool dropout = false;
  int window = 0;           ///< tokens that one attends to, itself included; 0: all before it
  double window_share = 1;  ///< of the layers that have it; the others see all
  std::optional<LatentAttention> latent{};
  int experts = 1;
  int experts_per_token = 1;
  int expert_groups = 1;  ///< equal ones, of which a token's experts lie in `groups_per_token`
  int groups_per_token = 1;
  double expert_imbalance = 1;  ///< tokens of the busiest expert-parallel rank over the mean
  /// Width at which experts work and tokens travel to them, between two products that all tokens
  /// have in common (LatentMoE: Megatron-LM, --moe-latent-size); 0: that of the stream.
  int expert_latent = 0;
  int shared_feed_forward = 0;  ///< of experts that every token goes through, side by side
  int lora_rank = 0;  ///< of adapters, beside which nothing else trains; 0: there are none
  std::vector<LoraTarget> lora_targets{LoraTarget::QueryKeyValue, LoraTarget::Output};
  bool frozen = false;  ///< but for adapters
  /// Its input is a product of the stream and of the next token's embedding, each normed
  /// (multi-token prediction: arXiv 2412.19437, section 2.2).
  bool predicts_further = false;

  TokenRouting routing() const {
    return {.experts = experts,
            .experts_per_token = experts_per_token,
            .groups = expert_groups,
            .groups_per_token = groups_per_token};
  }
  int branches() const { return (heads > 0 ? 1 : 0) + (feed_forward > 0 ? 1 : 0); }
};

/// Mamba-2 layers of one shape (arXiv 2405.21060, section 7.1): a norm, one product to the gate z,
/// the input x, B, C and the time step, a causal convolution of x, B and C, the scan, a norm gated
/// by z, and a product back. With the delta rule (gated DeltaNet: arXiv 2412.06464, section 3.3) x
/// are values, B and C keys and queries, and a block first takes from its values what the state
/// already says of its keys. Without a state it is a short convolution between two gates, one of x
/// before it and one behind it (LFM2: arXiv 2511.23404, section 2).
struct StateSpaceLayers {
  int count = 1;
  int hidden = 0;
  int heads = 0;
  int head_size = 0;
  int groups = 1;       ///< of heads that have B and C in common
  int state_size = 0;   ///< 0: none
  int convolution = 4;  ///< tokens that one sees, itself included
  int chunk = 256;      ///< tokens of a block of the scan
  bool biases = false;  ///< of the two products
  bool convolution_biases = true;
  bool delta_rule = false;
  bool frozen = false;
  /// Of the delta rule: width of the rows that the gate and decays of each channel of keys are made
  /// of (Kimi Delta Attention: arXiv 2510.26692, section 4); 0: the gate is made of the stream, and
  /// a head has one decay.
  int gate_rank = 0;

  bool has_state() const { return state_size > 0; }
};

/// Token (and position) embeddings, one norm, and the product with the vocabulary and its loss.
/// The product comes last of all, wherever in the model this part stands.
struct Vocabulary {
  int size = 0;
  int hidden = 0;
  int positions = 0;           ///< learnt ones
  int segments = 0;            ///< kinds of token with an embedding of their own
  bool tied = false;           ///< the product's weights are the embedding's
  bool biases = true;          ///< of the norm
  bool output_biases = false;  ///< of the product
  int predictions = 0;         ///< tokens of a sample whose loss is taken; 0: all
  /// Beyond the next token, that layers predict: each has a product and a loss of its own.
  int further_tokens = 0;
  bool frozen = false;
  int multiple = 128;  ///< that entries are padded to on each rank where ranks do not divide them
  /// Held of a logit while the loss is taken; absent: 6, 16 bits and in fp32.
  std::optional<double> loss_bytes{};
  std::optional<double> split_loss_bytes{};  ///< likewise where ranks split the vocabulary
  bool whole_logits = false;  ///< ranks that split it gather all logits before the loss
};

/// `count` equal convolutions, each with its norm and activation where it has them. A linear layer
/// is a 1x1 convolution over 1 x `width` rows.
struct Convolution {
  int count = 1;
  int inputs = 0;  ///< channels
  int outputs = 0;
  int kernel = 1;
  int stride = 1;
  int height = 0;  ///< of the output, as is `width`
  int width = 0;
  int groups = 1;
  bool biases = false;
  bool norm = true;
  bool activation = true;
  bool norm_first = false;  ///< norm and activation act on its input (U-Net)
  bool residual = false;    ///< a block's input is added to its output
  bool shared = false;      ///< the weights of the part before, on another image
  bool frozen = false;
  bool input_gradient = true;  ///< something before it trains
};

/// `count` equal blocks over an image's positions as U-Nets have them: a projection, attention to
/// the image itself, attention to a text, a gated MLP of four times the channels, a projection.
struct ImageTransformer {
  int count = 1;
  int channels = 0;
  int heads = 0;
  int positions = 0;
  int text_positions = 0;
  int text_channels = 0;
};

/// What is asked of a part, whatever its kind; each kind answers beside its work.
struct PartTraits {
  int hidden = 0;  ///< width of a text's stream; 0: it is of images, or beside the stream
  int layers = 0;  ///< that ranks may split and pipelines spread; 0: it is whole on each rank
  int heads = 0;
  int experts = 1;
  int experts_per_token = 1;
  bool attends = false;  ///< selective recomputation is of that
  int vocabulary = 0;    ///< entries; 0: it is no vocabulary
  int positions = 0;     ///< tokens that a text may have at most; 0: any
  int predictions = 0;
  double tied_table = 0;            ///< parameters that first and last stage share
  std::array<int, 6> dimensions{};  ///< what tells its layers from others, their count first

  bool is_text() const { return hidden > 0; }
  bool splits() const { return layers > 0; }
};

struct ModelPart {
  std::string name{};
  std::variant<TransformerLayers, StateSpaceLayers, Vocabulary, Convolution, ImageTransformer>
      shape;

  PartTraits traits() const;
};

/// A network by its dimensions, in forward order. Everything else follows.
struct Model {
  std::string name{};
  std::string title{};
  std::string source{};
  std::vector<ModelPart> parts{};
  double sequence_length = 0;  ///< tokens of one sample; 0 for images
  double packed_length = 0;    ///< of texts that a sample packs, each by itself; 0: it is one
  Precision precision = Precision::Bf16;
  std::vector<std::string> substitutions{};  ///< what its file leaves open or we do not express
};

/// Adds multi-token prediction: so many layers like the last ones, each of which predicts a token
/// further. Asks for such layers and a vocabulary.
void add_further_predictions(Model&, int layers);

/// Those of its parts that have layers which ranks may split, in forward order.
std::vector<PartTraits> layer_traits(const Model&);

/// Whether any of its layers is a mixture of experts.
bool has_experts(const Model&);

/// Parameters of the whole model.
double parameters(const Model&);
double trainable_parameters(const Model&);
/// Those that one token goes through: of experts the chosen ones.
double active_parameters(const Model&);
/// FLOPs of its parameters for one token: 2 of each that it goes through forward, 2 for the
/// gradient of a product's input where something before it trains, 2 for that of a weight which
/// trains; where all train, 6N.
double parameter_flops(const Model&);
/// Forward and backward of one sample, without recomputation, that of fused attention included.
Flops model_flops(const Model&);

}  // namespace model
}  // namespace tofn
