#include "sim/config/hugging_face/hugging_face.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/hugging_face/hugging_face_begun.hpp"
#include "sim/config/hugging_face/hugging_face_blocks.hpp"
#include "sim/config/hugging_face/hugging_face_hybrid.hpp"
#include "sim/config/hugging_face/hugging_face_reader.hpp"
#include "sim/core/names.hpp"
#include "sim/core/standard_input.hpp"

namespace tofn {
inline namespace config {

Vocabulary HuggingFaceReader::vocabulary() {
  Vocabulary shape{
      .size = dimension_or({"vocab_size", "padded_vocab_size"},
                           typical(&DefaultDimensions::vocabulary)),
      .hidden = layers_.hidden,
      .tied = keys_.is_on("tie_word_embeddings", keys_.is_on("tie_embedding", of_.tied)),
      .biases = of_.biases.norms,
      .output_biases = of_.is_encoder || keys_.is_on("lm_head_bias", of_.output_biases)};
  if (of_.positions == TokenPositions::Learned) shape.positions = limit_ + of_.extra_positions;
  if (of_.is_encoder) shape.segments = keys_.dimension({"type_vocab_size"});
  // OPT's embeddings may be narrower than its layers.
  if (keys_.count({"word_embed_proj_dim"}, layers_.hidden) != layers_.hidden)
    keys_.add_uncounted(keys_.needed({"word_embed_proj_dim"}), KeyEffect::Size);
  return shape;
}

void HuggingFaceReader::add_layers() {
  if (of_.layers == LayerKinds::StateSpace) return add_state_space();
  if (of_.layers == LayerKinds::Pattern) return add_hybrid();
  if (of_.layers == LayerKinds::TwoWidths) return add_two_widths();
  if (of_.layers == LayerKinds::Blocks) {
    for (ModelPart& part : read_blocks(keys_, layers_, model_.substitutions))
      model_.parts.push_back(std::move(part));
    return;
  }
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

void HuggingFaceReader::add_state_space() {
  keys_.pass_over("intermediate_size d_inner");  // follow from `expand`
  StateSpaceLayers state_space = of_.hybrid.state_space(keys_, layers_.hidden);
  say_first_state_space(state_space);
  state_space.count = layers_.count;
  model_.parts.push_back({.name = "state_space", .shape = state_space});
}

void HuggingFaceReader::say_first_state_space(const StateSpaceLayers& layers) {
  if (of_.hybrid.state_space == read_first_state_space)
    say("layers of Mamba are taken as Mamba-2's, with heads of {} channels", layers.head_size);
}

void HuggingFaceReader::add_hybrid() {
  const std::string letters = of_.hybrid.pattern(keys_, layers_);
  const StateSpaceLayers state_space = of_.hybrid.state_space(keys_, layers_.hidden);
  say_first_state_space(state_space);
  if (of_.hybrid.pattern == parallel_pattern)
    say("attention and the state space beside it are taken one after the other");
  for (ModelPart& part : parts_in_order(letters, state_space, layers_, dense_width_))
    model_.parts.push_back(std::move(part));
}

/// Layers with full attention have their own head size (`global_head_dim`) and number of groups.
void HuggingFaceReader::add_two_widths() {
  TransformerLayers whole = layers_;
  whole.window = 0;
  whole.window_share = 1;
  whole.head_size = keys_.optional_dimension({"global_head_dim"}).value_or(whole.head_size);
  whole.key_value_heads =
      keys_.optional_dimension({"num_global_key_value_heads"}).value_or(whole.key_value_heads);
  if (whole.heads % whole.key_value_heads != 0)
    keys_.fail(fmt::format("{} heads of keys and values do not divide {} heads",
                           whole.key_value_heads, whole.heads));
  layers_.window_share = 1;
  std::vector<bool> sliding = sliding_layers();
  for (int i = 0; sliding.size() < static_cast<std::size_t>(layers_.count); ++i)
    sliding.push_back((i + 1) % of_.full_every != 0);
  for (const bool slides : sliding) {
    const std::string name = slides ? "sliding layers" : "layers";
    if (model_.parts.back().name == name) {
      ++std::get<TransformerLayers>(model_.parts.back().shape).count;
      continue;
    }
    TransformerLayers part = slides ? layers_ : whole;
    part.count = 1;
    model_.parts.push_back({.name = name, .shape = part});
  }
  if (keys_.is_on("attention_k_eq_v"))
    say("values that are the keys are counted as if they were made apart");
}

/// Adds the transform before the output projection (BertForMaskedLM).
void HuggingFaceReader::add_masked_transform() {
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

void HuggingFaceReader::add_predictions() {
  if (of_.layers != LayerKinds::Transformer) return;  // other layers are of several kinds
  const int further = keys_.count({"num_nextn_predict_layers"});
  if (further == 0) return;
  if (further > layers_.count) keys_.fail(fmt::format("{} layers of prediction are many", further));
  add_further_predictions(model_, further);
  say("multi-token prediction is counted, as it trains");
}

void HuggingFaceReader::say_what_is_left_out() {
  if (of_.is_parallel) {
    const bool attends_beside =
        keys_.is_on("parallel_attn", true) && keys_.is_on("use_parallel_residual", true);
    if (attends_beside) say("attention and the MLP beside it are taken one after the other");
  }
  for (const std::string_view name : {"attn_logit_softcapping", "final_logit_softcapping"})
    if (keys_.number(name) > 0) say("{} is not counted", name);
  if (const int chunk = keys_.count({"attention_chunk_size"});
      chunk > 0 && chunk < model_.sequence_length)
    say("attention_chunk_size is not counted: tokens attend beyond their chunk of {}", chunk);
  if (keys_.is_on("gradient_checkpointing", false))
    say("gradient_checkpointing is a training's setting and not read: state --recompute full");
  say_unread(KeyEffect::Predictions, "layers that predict further tokens are not counted");
  say_unread(KeyEffect::Unknown, "keys that are not known are not counted");
  say_unread(KeyEffect::Beside, "text alone is trained, without");
}

/// Names the unread keys with this effect in a substitution that begins with `what`.
void HuggingFaceReader::say_unread(KeyEffect effect, std::string_view what) {
  std::vector<std::string> names;
  for (const UnreadKey& each : keys_.unread())
    if (each.effect == effect) names.push_back(each.node.key());
  if (!names.empty()) say("{}: {}", what, list_text(names, "and"));
}

Model HuggingFaceReader::read() {
  layers_.count = dimension_or({"num_hidden_layers", "n_layer", "n_layers", "num_layers"},
                               typical(&DefaultDimensions::layers));
  // If the layers are of several kinds, each layer is a part of its own.
  const bool is_mixed =
      of_.layers != LayerKinds::Transformer && of_.layers != LayerKinds::StateSpace;
  if (layers_.count > (is_mixed ? 2'000 : 100'000))
    keys_.fail(fmt::format("{} layers are too many", layers_.count));
  layers_.hidden = dimension_or({"hidden_size", "n_embd", "n_embed", "d_model"},
                                typical(&DefaultDimensions::hidden));
  layers_.gated = of_.gated;
  layers_.causal = !of_.is_encoder;
  layers_.rotary = !keys_.is_on("alibi") && of_.positions == TokenPositions::Rotary;
  layers_.norms = of_.norms;
  layers_.query_key_norms =
      keys_.is_on("use_qk_norm", of_.query_key_norms) && !of_.bare_query_key_norms;
  layers_.output_gate = keys_.is_on("attn_output_gate", of_.output_gate);
  for (const std::string_view name :
       {"attention_dropout", "attention_probs_dropout_prob", "attn_pdrop", "dropout",
        "hidden_dropout", "hidden_dropout_prob", "resid_dropout", "resid_pdrop"})
    layers_.dropout = keys_.number(name) > 0 || layers_.dropout;
  read_sequence();
  read_precision();
  if (of_.layers != LayerKinds::StateSpace) {
    read_heads();
    read_biases();
    if (of_.layers != LayerKinds::Pattern) read_window();
    if (of_.layers != LayerKinds::Blocks) read_feed_forward();
    read_experts();
  }
  keys_.pass_over(of_.idle);
  model_.parts.push_back({.name = "vocabulary", .shape = vocabulary()});
  add_layers();
  if (of_.is_encoder) add_masked_transform();
  add_predictions();
  say_what_is_left_out();
  return std::move(model_);
}

namespace {

/// Name of a model from its file: for config.json that of the folder, or in the download cache,
/// where the folder is a commit, the end of `models--ORGANISATION--MODEL`.
std::string name_of(const std::filesystem::path& file) {
  if (is_standard_input(file)) return file_label(file);
  if (file.stem() != "config") return file.stem().string();
  const auto folder = std::filesystem::absolute(file).parent_path();
  if (folder.parent_path().filename() != "snapshots") return folder.filename().string();
  const std::string repository = folder.parent_path().parent_path().filename().string();
  return repository.substr(repository.rfind("--") + 2);
}

}  // namespace

bool is_hugging_face(const YamlNode& root) {
  if (!root.is_map()) return false;
  const auto entries = root.entries();
  return std::ranges::any_of(entries,
                             [](const auto& entry) { return entry.first == "model_type"; });
}

Model read_hugging_face(const YamlNode& root) {
  HuggingFaceReader reader(root);
  Model model = reader.read();
  model.source = root.location().file;
  model.name = model.title = name_of(model.source);
  refuse_uncounted(reader.keys(), model);
  return model;
}

}  // namespace config
}  // namespace tofn
