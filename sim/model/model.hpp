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

/// Multi-head latent attention (arXiv 2405.04434, section 2.1): one narrow row per token gives the
/// keys and values of all heads; queries come from a narrow row too if `query_rank` is positive.
struct LatentAttention {
  int query_rank = 0;  ///< 0: the layer's input gives the queries
  int key_value_rank = 0;
  int rotary_head_size = 0;  ///< rotary part of `head_size`; heads share that of keys
  int value_head_size = 0;
  /// Heads of the index that chooses the at most `index_keys` tokens that a token attends to
  /// (sparse attention: arXiv 2512.02556, section 2.1); 0: it attends to all tokens before it.
  int index_heads = 0;
  int index_head_size = 0;
  int index_keys = 0;

  double index_query_width() const { return 1.0 * index_heads * index_head_size; }
  bool operator==(const LatentAttention&) const = default;
};

/// Products of a transformer layer that may have LoRA adapters, by the names of Megatron-LM, which
/// joins products of one input, and of Hugging Face.
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

/// Tokens of the busiest expert-parallel rank over the mean if nothing forces routers to balance.
/// It reproduces the measured slowdown of Qwen3-235B on 256 H100 (16k to 128k tokens) without
/// forced balance: 237 against 295, 277 against 335, 320 against 368 and 357 against 389 TFLOP/s
/// (github.com/yanring/Megatron-MoE-ModelZoo@e865051, best_practice/qwen3/readme.md).
inline constexpr double natural_imbalance = 1.5;

/// Transformer layers of one shape: encoder, decoder, grouped-query, gated, mixture of experts.
/// Layers without heads are an MLP alone, layers without a feed-forward width attention alone: a
/// residual branch with its norm, as in hybrid models.
struct TransformerLayers {
  int count = 1;
  int hidden = 0;
  int feed_forward = 0;
  int heads = 0;
  int key_value_heads = 0;  ///< equal to `heads` without grouped queries
  int head_size = 0;
  bool gated = false;                            ///< gate, up and down instead of two products
  bool biases = true;                            ///< of products and of norms; false: RMSNorm
  std::optional<bool> query_key_value_biases{};  ///< absent: equal to `biases`
  std::optional<bool> norm_biases{};             ///< absent: equal to `biases`
  int norms = 2;                                 ///< 4: also on the output of each branch
  bool query_key_norms = false;  ///< norms of each head, with weights that all heads share
  bool output_gate = false;      ///< the query product also makes a gate for the heads' output
  bool rotary = false;
  bool causal = true;
  bool fused_attention = true;    ///< one kernel, which keeps scores on chip
  bool keeps_activation = false;  ///< activation function of gated products is a kernel apart
  bool keeps_gathered = false;    ///< keeps inputs whole that sequence parallelism gathered
  /// True if the answers of experts are kept, because the router's gradient needs them if they are
  /// weighted on their way back. Software that weights the inner activations instead keeps none
  /// (Megatron-LM's memory-efficient permutation, megatron/core/transformer/moe/README.md), nor
  /// does software whose kernels bring back sums.
  bool keeps_answers = true;
  std::optional<SelectiveRecompute> selective_recompute{};  ///< absent: the attention core
  bool dropout = false;
  int window = 0;           ///< tokens that a token attends to, including itself; 0: all before it
  double window_share = 1;  ///< share of layers with the window; the others see all tokens
  std::optional<LatentAttention> latent{};
  int experts = 1;
  int experts_per_token = 1;
  int expert_groups = 1;  ///< equal groups; a token's experts lie in `groups_per_token` of them
  int groups_per_token = 1;
  double expert_imbalance = 1;  ///< tokens of the busiest expert-parallel rank over the mean
  /// Width at which tokens travel to experts and experts work, between two products that all tokens
  /// share (LatentMoE: Megatron-LM, --moe-latent-size); 0: the width of the stream.
  int expert_latent = 0;
  int shared_feed_forward = 0;  ///< width of the experts that every token uses, together
  int lora_rank = 0;  ///< rank of adapters, beside which nothing else trains; 0: no adapters
  std::vector<LoraTarget> lora_targets{LoraTarget::QueryKeyValue, LoraTarget::Output};
  /// Outputs of products that act on one row a sample, as those of adaptive norms (arXiv
  /// 2212.09748, section 3.2), from inputs of the stream's width; 0: none. Tensor-parallel ranks
  /// hold them whole (NeMo: nn.Linear in AdaLN of dit_layer_spec.py, from memory).
  int conditioning = 0;
  /// Streams of tokens with weights of their own, such as 2 of text and image (arXiv 2403.03206,
  /// section 4). Products take the tokens of all at once.
  int streams = 1;
  bool frozen = false;  ///< except for adapters
  /// True if the layer's input is a product of the stream and of the next token's embedding, both
  /// normed (multi-token prediction: arXiv 2412.19437, section 2.2).
  bool predicts_further = false;

  TokenRouting routing() const {
    return {.experts = experts,
            .experts_per_token = experts_per_token,
            .groups = expert_groups,
            .groups_per_token = groups_per_token};
  }
  int branches() const { return (heads > 0 ? 1 : 0) + (feed_forward > 0 ? 1 : 0); }
  bool operator==(const TransformerLayers&) const = default;
};

/// Mamba-2 layers of one shape (arXiv 2405.21060, section 7.1): a norm; one product to the gate z,
/// the input x, B, C and the time step; a causal convolution of x, B and C; the scan; a norm gated
/// by z; and a product back. With the delta rule (gated DeltaNet: arXiv 2412.06464, section 3.3) x
/// are values, B and C are keys and queries, and a block first subtracts from its values what the
/// state predicts for its keys. Without a state the layer is a short convolution of x between two
/// gates, one before and one behind it (LFM2: arXiv 2511.23404, section 2).
struct StateSpaceLayers {
  int count = 1;
  int hidden = 0;
  int heads = 0;
  int head_size = 0;
  int groups = 1;       ///< groups of heads that share B and C
  int state_size = 0;   ///< 0: no state
  int convolution = 4;  ///< tokens that the convolution sees, including the current one
  int chunk = 256;      ///< tokens of a block of the scan
  bool biases = false;  ///< of the two products
  bool convolution_biases = true;
  bool delta_rule = false;
  bool frozen = false;
  /// Width of the rows that give the gate and the decays of each channel of keys under the delta
  /// rule (Kimi Delta Attention: arXiv 2510.26692, section 4); 0: the gate comes from the stream,
  /// and a head has one decay.
  int gate_rank = 0;

  bool has_state() const { return state_size > 0; }
  bool operator==(const StateSpaceLayers&) const = default;
};

/// Token (and position) embeddings, one norm, and the product with the vocabulary and its loss. The
/// product runs after all other parts, wherever this part stands in the model.
struct Vocabulary {
  int size = 0;
  int hidden = 0;
  int positions = 0;           ///< learned position embeddings
  int segments = 0;            ///< kinds of token with separate embeddings
  bool tied = false;           ///< the product and the embedding share their weights
  bool biases = true;          ///< of the norm
  bool output_biases = false;  ///< of the product
  int predictions = 0;         ///< tokens of a sample that have a loss; 0: all
  /// Tokens beyond the next one that layers predict; each has a product and a loss.
  int further_tokens = 0;
  bool frozen = false;
  int multiple = 128;  ///< a rank's entries are padded to it if ranks do not divide them
  /// Bytes held per logit while the loss is computed; absent: 6, in 16 bits and in fp32.
  std::optional<double> loss_bytes{};
  std::optional<double> split_loss_bytes{};  ///< with ranks that split the vocabulary
  bool whole_logits = false;  ///< ranks that split the vocabulary gather all logits before the loss

  bool operator==(const Vocabulary&) const = default;
};

/// `count` equal convolutions, each with its optional norm and activation. A linear layer is a 1x1
/// convolution over 1 x `width` rows.
struct Convolution {
  int count = 1;
  int inputs = 0;  ///< channels
  int outputs = 0;
  int kernel = 1;
  int stride = 1;
  int height = 0;  ///< of the output, like `width`
  int width = 0;
  int groups = 1;
  bool biases = false;
  bool norm = true;
  bool activation = true;
  bool norm_first = false;  ///< norm and activation act on the input (U-Net)
  bool residual = false;    ///< a block's input is added to its output
  bool shared = false;      ///< reuses the weights of the part before, on another image
  bool frozen = false;
  bool input_gradient = true;  ///< true if something before it trains

  bool operator==(const Convolution&) const = default;
};

/// `count` equal blocks over an image's positions, as in U-Nets: a projection, attention to the
/// image itself, attention to a text, a gated MLP of four times the channels, a projection.
struct ImageTransformer {
  int count = 1;
  int channels = 0;
  int heads = 0;
  int positions = 0;
  int text_positions = 0;
  int text_channels = 0;

  bool operator==(const ImageTransformer&) const = default;
};

/// Facts about a part of any kind. Each kind computes them beside its work.
struct PartTraits {
  int hidden = 0;  ///< width of a text's stream; 0: a part of images, or beside the stream
  int layers = 0;  ///< layers that ranks may split and pipelines spread; 0: whole on each rank
  int heads = 0;
  int experts = 1;
  int experts_per_token = 1;
  bool attends = false;  ///< selective recomputation applies to attention
  int vocabulary = 0;    ///< entries; 0: not a vocabulary
  int positions = 0;     ///< most tokens of a text; 0: any
  int predictions = 0;
  double tied_table = 0;            ///< parameters that first and last stage share
  std::array<int, 6> dimensions{};  ///< tell its layers from others; their count comes first

  bool is_text() const { return hidden > 0; }
  bool splits() const { return layers > 0; }
};

struct ModelPart {
  std::string name{};
  std::variant<TransformerLayers, StateSpaceLayers, Vocabulary, Convolution, ImageTransformer>
      shape;

  PartTraits traits() const;
};

/// A network given by its dimensions, in forward order.
struct Model {
  std::string name{};
  std::string title{};
  std::string source{};
  std::vector<ModelPart> parts{};
  double sequence_length = 0;  ///< tokens of one sample; 0 for images
  double packed_length = 0;    ///< mean tokens of packed texts; 0: a sample is one text
  Precision precision = Precision::Bf16;
  std::vector<std::string> substitutions{};  ///< gaps of its file, and what is not modelled
};

/// Adds multi-token prediction: `layers` layers like the last ones, each of which predicts one
/// token further. The model must have such layers and a vocabulary.
void add_further_predictions(Model&, int layers);

/// Traits of the parts whose layers ranks may split, in forward order.
std::vector<PartTraits> layer_traits(const Model&);

/// True if any of its layers is a mixture of experts.
bool has_experts(const Model&);

/// Parameters of the whole model.
double parameters(const Model&);
double trainable_parameters(const Model&);
/// Parameters that one token uses; of the experts only the chosen ones.
double active_parameters(const Model&);
/// FLOPs of the parameters for one token: 2 per parameter that it uses forward, 2 for the gradient
/// of a product's input if something before it trains, and 2 for that of a weight that trains. If
/// all train, this is 6N.
double parameter_flops(const Model&);
/// FLOPs of forward and backward of one sample, without recomputation, even that of fused
/// attention.
Flops model_flops(const Model&);

}  // namespace model
}  // namespace tofn
