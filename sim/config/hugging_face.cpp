#include "sim/config/hugging_face.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/hugging_face_architectures.hpp"
#include "sim/config/hugging_face_hybrid.hpp"
#include "sim/config/hugging_face_keys.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {
namespace {

/// One file, read once, from its keys to the parts of a model.
class Reader {
 public:
  explicit Reader(const YamlNode& root)
      : keys_(root), of_(architecture_named(keys_.needed({"model_type"}))) {
    if (keys_.find({"vision_config", "vision_tower"}) || keys_.has_text_config())
      say("text alone is trained: what sees images is left out");
  }

  Model read();

 private:
  template <class... Values>
  void say(fmt::format_string<Values...> text, Values&&... values) {
    model_.substitutions.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  int dimension_or(HuggingFaceKeys::Names, int usual);
  int limit();
  void read_sequence();
  void read_precision();
  void read_heads();
  void read_falcon_groups();
  void read_latent();
  void read_biases();
  void read_window();
  void read_feed_forward();
  void read_experts();
  int dense_layers();
  Vocabulary vocabulary();
  void add_layers();
  void add_state_space();
  void add_masked_transform();
  void say_what_is_left_out();

  HuggingFaceKeys keys_;
  const HuggingFaceArchitecture& of_;
  TransformerLayers layers_{};
  int limit_ = 0;
  int dense_width_ = 0;
  Model model_{};
};

/// A usual value of 0: there is none.
int Reader::dimension_or(HuggingFaceKeys::Names names, int usual) {
  return usual == 0 ? keys_.dimension(names) : keys_.optional_dimension(names).value_or(usual);
}

int Reader::limit() {
  const HuggingFaceKeys::Names names{"max_position_embeddings", "n_positions", "seq_length"};
  if (const int stated = keys_.count(names); stated > 0) return stated;
  if (of_.layers == LayerKinds::StateSpace) return 0;
  return dimension_or(names, of_.default_limit);
}

void Reader::read_sequence() {
  constexpr int usual = 4096;
  limit_ = limit();
  if (const auto tokens = keys_.optional_dimension({"sequence_length"})) {
    model_.sequence_length = *tokens;
    return;
  }
  model_.sequence_length = limit_ > 0 ? std::min(limit_, usual) : usual;
  if (limit_ == 0)
    return say("samples are taken of {} tokens (--sequence-length): the file does not say",
               model_.sequence_length);
  say("samples are taken of {} tokens (--sequence-length): the file says only that the model takes "
      "up to {}",
      model_.sequence_length, limit_);
}

void Reader::read_precision() {
  std::string type;
  if (const auto node = keys_.find({"torch_dtype", "dtype"})) node->read(type);
  if (type == "float16") model_.precision = Precision::Fp16;
  if (type != "float16" && type != "bfloat16")
    say("products are taken to run in bf16 (--precision): the file says {}",
        type.empty() ? "nothing of it" : fmt::format("that weights are stored in {}", type));
  if (keys_.find({"quantization_config"}))
    say("quantised weights are those of inference: training keeps {} ones",
        type == "float16" ? "fp16" : "bf16");
}

/// One group for all, or so many as `num_kv_heads` says, by two switches.
void Reader::read_falcon_groups() {
  const bool is_new = keys_.is_on("new_decoder_architecture");
  const bool is_single = keys_.is_on("multi_query", true);
  const auto groups = keys_.optional_dimension({"num_kv_heads"});
  layers_.key_value_heads = is_new ? groups.value_or(layers_.heads) : is_single ? 1 : layers_.heads;
}

void Reader::read_heads() {
  layers_.heads = dimension_or({"num_attention_heads", "n_head"}, of_.default_heads);
  if (of_.type == "falcon") {
    read_falcon_groups();
  } else {
    const HuggingFaceKeys::Names groups{"num_key_value_heads", "n_head_kv"};
    const int usual = of_.default_groups > 0 ? of_.default_groups : layers_.heads;
    layers_.key_value_heads = dimension_or(groups, of_.needs_groups ? 0 : usual);
  }
  if (layers_.heads % layers_.key_value_heads != 0)
    keys_.fail(fmt::format("{} heads of keys and values do not divide {} heads",
                           layers_.key_value_heads, layers_.heads));
  if (of_.has_latent) return read_latent();
  const HuggingFaceKeys::Names sizes{"head_dim", "attention_head_dim"};
  auto size = of_.needs_head_size ? keys_.dimension(sizes) : keys_.optional_dimension(sizes);
  if (!size && of_.default_head_size > 0) size = of_.default_head_size;
  if (!size && layers_.hidden % layers_.heads != 0)
    keys_.fail(fmt::format("{} heads do not divide a hidden size of {}: head_dim is needed",
                           layers_.heads, layers_.hidden));
  layers_.head_size = size.value_or(layers_.hidden / layers_.heads);
}

void Reader::read_latent() {
  LatentAttention& latent = layers_.latent.emplace();
  latent.query_rank = keys_.optional_dimension({"q_lora_rank"}).value_or(0);
  latent.key_value_rank = keys_.dimension({"kv_lora_rank"});
  latent.rotary_head_size = keys_.dimension({"qk_rope_head_dim"});
  latent.value_head_size = keys_.dimension({"v_head_dim"});
  layers_.head_size = keys_.dimension({"qk_nope_head_dim"}) + latent.rotary_head_size;
  layers_.key_value_heads = layers_.heads;
  keys_.find({"head_dim", "qk_head_dim"});  // what they say follows
}

void Reader::read_biases() {
  const bool all = keys_.is_on(of_.bias_key, of_.biases.products);
  const bool usual = all || of_.biases.query_key_value;
  const bool of_attention = !of_.has_latent && keys_.is_on("attention_bias", usual);
  const bool of_mlp = keys_.is_on("mlp_bias", all);
  layers_.biases = of_attention && of_mlp;
  layers_.query_key_value_biases = of_attention;
  layers_.norm_biases = of_.biases.norms;
  if (of_attention && !of_mlp && !of_.biases.query_key_value)
    say("the bias of attention's output is not counted");
  if (of_mlp && !of_attention) say("biases of the MLP are not counted");
}

/// Layers that slide are named one by one, or by a switch, or by the architecture.
void Reader::read_window() {
  double share = of_.window_share;
  if (const int every = keys_.count({"sliding_window_pattern"}, of_.full_every); every > 0)
    share = 1 - 1.0 * (layers_.count / every) / layers_.count;
  const bool slides = keys_.is_on("use_sliding_window", share > 0);
  const int first = keys_.count({"max_window_layers"});
  if (!slides) share = 0;
  if (slides && share == 0) share = 1.0 * std::max(0, layers_.count - first) / layers_.count;
  if (const auto types = keys_.find({"layer_types"})) {
    int sliding = 0;
    constexpr std::array<std::pair<std::string_view, bool>, 2> names{
        {{"full_attention", false}, {"sliding_attention", true}}};
    const auto items = types->items();
    for (const YamlNode& item : items) {
      bool is_sliding = false;
      item.read_choice(is_sliding, ChoiceTable<bool>(names));
      sliding += is_sliding ? 1 : 0;
    }
    if (items.size() != static_cast<std::size_t>(layers_.count))
      types->fail(fmt::format("names {} layers of {}", items.size(), layers_.count));
    share = 1.0 * sliding / layers_.count;
  }
  const auto window = keys_.optional_dimension({"sliding_window"});
  if (!window || share == 0) return;
  layers_.window = *window;
  layers_.window_share = share;
}

void Reader::read_feed_forward() {
  const HuggingFaceKeys::Names names{"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size"};
  layers_.feed_forward = of_.has_default_width
                             ? keys_.optional_dimension(names).value_or(4 * layers_.hidden)
                             : keys_.dimension(names);
  dense_width_ = keys_.optional_dimension({"intermediate_size_mlp"}).value_or(layers_.feed_forward);
}

void Reader::read_experts() {
  const HuggingFaceKeys::Names names{"num_local_experts", "num_experts", "n_routed_experts"};
  const auto experts = keys_.optional_dimension(names);
  if (!experts && of_.needs_experts) keys_.needed(names);
  if (!experts) return;
  layers_.experts = *experts;
  layers_.experts_per_token = keys_.dimension({"num_experts_per_tok", "experts_per_token"});
  if (layers_.experts_per_token > layers_.experts)
    keys_.fail(fmt::format("{} experts a token of {}", layers_.experts_per_token, *experts));
  layers_.feed_forward =
      keys_.optional_dimension({"moe_intermediate_size"}).value_or(layers_.feed_forward);
  const int shared = keys_.count({"n_shared_experts"}, of_.shared_experts);
  if (1.0 * shared * layers_.feed_forward > 1e9)
    keys_.fail(fmt::format("{} shared experts are too wide", shared));
  layers_.shared_feed_forward = keys_
                                    .optional_dimension({"shared_expert_intermediate_size",
                                                         "moe_shared_expert_intermediate_size"})
                                    .value_or(shared * layers_.feed_forward);
}

/// Layers without experts, in a mixture: the first ones, all but every n-th, those that are named.
int Reader::dense_layers() {
  if (layers_.experts == 1) return 0;
  const int first = keys_.count({"first_k_dense_replace"});
  const int every = keys_
                        .optional_dimension(
                            {"decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step"})
                        .value_or(1);
  std::vector<int> named;
  if (const auto node = keys_.find({"mlp_only_layers"})) node->read(named);
  int dense = 0;
  for (int i = 0; i < layers_.count; ++i) {
    const bool is_named = std::find(named.begin(), named.end(), i) != named.end();
    const bool is_skipped = (of_.has_latent ? i : i + 1) % every != 0;
    if (i < first || is_named || is_skipped) ++dense;
  }
  if (dense > first) say("the {} layers without experts are taken to come first", dense);
  return dense;
}

Vocabulary Reader::vocabulary() {
  Vocabulary shape{.size = dimension_or({"vocab_size"}, of_.default_vocabulary),
                   .hidden = layers_.hidden,
                   .tied = keys_.is_on("tie_word_embeddings", of_.tied),
                   .biases = of_.biases.norms,
                   .output_biases = of_.is_encoder || of_.output_biases};
  if (of_.positions == TokenPositions::Learnt) shape.positions = limit_ + of_.extra_positions;
  if (of_.is_encoder) shape.segments = keys_.dimension({"type_vocab_size"});
  const int narrow = keys_.count({"word_embed_proj_dim"}, layers_.hidden);
  if (narrow != layers_.hidden)
    say("embeddings are taken to be as wide as the layers, not {}", narrow);
  return shape;
}

void Reader::add_layers() {
  if (of_.layers != LayerKinds::Transformer) return add_state_space();
  const int dense = dense_layers();
  if (dense > 0) {
    TransformerLayers first = layers_;
    first.count = dense;
    first.experts = first.experts_per_token = 1;
    first.shared_feed_forward = 0;
    first.feed_forward = dense_width_;
    model_.parts.push_back({.name = "dense layers", .shape = first});
  }
  layers_.count -= dense;
  if (layers_.count > 0) model_.parts.push_back({.name = "transformer", .shape = layers_});
}

void Reader::add_state_space() {
  StateSpaceLayers state_space = read_state_space(keys_, layers_.hidden);
  if (of_.layers == LayerKinds::Pattern) {
    const auto parts =
        read_pattern(keys_.needed({"hybrid_override_pattern"}), state_space, layers_, dense_width_);
    model_.parts.insert(model_.parts.end(), parts.begin(), parts.end());
    return;
  }
  state_space.count = layers_.count;
  model_.parts.push_back({.name = "state_space", .shape = state_space});
}

/// Before the product with the vocabulary (BertForMaskedLM).
void Reader::add_masked_transform() {
  model_.parts.push_back({.name = "masked-LM transform",
                          .shape = Convolution{.inputs = layers_.hidden,
                                               .outputs = layers_.hidden,
                                               .height = 1,
                                               .width = static_cast<int>(model_.sequence_length),
                                               .biases = true,
                                               .norm = true,
                                               .activation = true}});
  say("its head for masked tokens runs on all of them; the pooler and other heads are left out");
}

void Reader::say_what_is_left_out() {
  if (of_.is_parallel) {
    const bool attends_beside =
        keys_.is_on("parallel_attn", true) && keys_.is_on("use_parallel_residual", true);
    if (attends_beside) say("attention and the MLP beside it are taken one after the other");
  }
  if (keys_.count({"num_nextn_predict_layers"}) > 0) say("multi-token prediction is left out");
  for (const std::string_view name : {"attn_logit_softcapping", "final_logit_softcapping"})
    if (keys_.number(name) > 0) say("{} is not counted", name);
  const auto unread = keys_.unread();
  if (!unread.empty())
    say("{} not known: what {} not counted",
        unread.size() == 1 ? fmt::format("the key {} is", unread.front())
                           : fmt::format("the keys {} are", list_text(unread, "and")),
        unread.size() == 1 ? "it changes is" : "they change is");
}

Model Reader::read() {
  layers_.count = keys_.dimension({"num_hidden_layers", "n_layer"});
  if (layers_.count > 100'000) keys_.fail(fmt::format("{} layers are too many", layers_.count));
  layers_.hidden = keys_.dimension({"hidden_size", "n_embd", "n_embed"});
  layers_.gated = of_.gated;
  layers_.causal = !of_.is_encoder;
  layers_.rotary = of_.positions == TokenPositions::Rotary && !keys_.is_on("alibi");
  layers_.norms = of_.norms;
  layers_.query_key_norms =
      keys_.is_on("use_qk_norm", of_.query_key_norms) && !of_.bare_query_key_norms;
  for (const std::string_view name :
       {"attention_dropout", "attention_probs_dropout_prob", "attn_pdrop", "dropout",
        "hidden_dropout", "hidden_dropout_prob", "resid_dropout", "resid_pdrop"})
    layers_.dropout = keys_.number(name) > 0 || layers_.dropout;
  read_sequence();
  read_precision();
  if (of_.layers != LayerKinds::StateSpace) {
    read_heads();
    read_biases();
    read_window();
    read_feed_forward();
    read_experts();
  }
  model_.parts.push_back({.name = "vocabulary", .shape = vocabulary()});
  add_layers();
  if (of_.is_encoder) add_masked_transform();
  say_what_is_left_out();
  return std::move(model_);
}

/// A file config.json is known by its folder.
std::string name_of(const std::filesystem::path& file) {
  if (file.stem() != "config") return file.stem().string();
  return std::filesystem::absolute(file).parent_path().filename().string();
}

}  // namespace

bool is_hugging_face(const YamlNode& root) {
  if (!root.is_map()) return false;
  const auto entries = root.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [](const auto& entry) { return entry.first == "model_type"; });
}

Model read_hugging_face(const YamlNode& root) {
  Model model = Reader(root).read();
  model.source = root.location().file;
  model.name = model.title = name_of(model.source);
  return model;
}

}  // namespace config
}  // namespace tofn
