#include "sim/config/model_starter.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_model.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/yaml/read_in.hpp"

namespace tofn {
inline namespace config {
namespace {

/// Text of one part's keys, without defaults.
class PartText {
 public:
  explicit PartText(std::string_view kind) : text_(fmt::format("  - {}:\n", kind)) {}

  template <class T>
  void add(std::string_view key, const T& value, std::string_view comment = {}) {
    text_ += fmt::format("      {}{}\n",
                         comment.empty() ? fmt::format("{}: {}", key, value)
                                         : fmt::format("{:<28}", fmt::format("{}: {}", key, value)),
                         comment.empty() ? "" : fmt::format("  # {}", comment));
  }
  template <class T>
  void add_unless(std::string_view key, const T& value, const T& typical,
                  std::string_view comment = {}) {
    if (value != typical) add(key, value, comment);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_experts(PartText& part, const TransformerLayers& layers) {
  const TransformerLayers typical;
  if (layers.experts == typical.experts) return;
  part.add("experts", layers.experts, "experts of each layer");
  part.add("experts_per_token", layers.experts_per_token, "experts that a token goes through");
  part.add_unless("shared_feed_forward", layers.shared_feed_forward, 0,
                  "width of experts that every token goes through");
  part.add_unless("expert_latent", layers.expert_latent, 0,
                  "width at which they work, between two products of all tokens");
  if (layers.expert_groups != 1) {
    part.add("expert_groups", layers.expert_groups);
    part.add("groups_per_token", layers.groups_per_token);
  }
  part.add_unless("expert_imbalance", layers.expert_imbalance, 1.0);
}

void add_attention(PartText& part, const TransformerLayers& layers) {
  const TransformerLayers typical;
  part.add("heads", layers.heads, "heads of attention");
  if (!layers.latent)
    part.add_unless("key_value_heads", layers.key_value_heads, layers.heads,
                    "fewer: grouped queries");
  if (layers.latent || layers.head_size * layers.heads != layers.hidden)
    part.add("head_size", layers.head_size, "width of a head");
  if (layers.query_key_value_biases)
    part.add("query_key_value_biases", *layers.query_key_value_biases);
  part.add_unless("query_key_norms", layers.query_key_norms, typical.query_key_norms);
  part.add_unless("output_gate", layers.output_gate, typical.output_gate);
  part.add_unless("rotary", layers.rotary, typical.rotary, "positions are turned, not learnt");
  part.add_unless("causal", layers.causal, typical.causal);
  part.add_unless("fused_attention", layers.fused_attention, typical.fused_attention);
  part.add_unless("window", layers.window, typical.window, "tokens that one attends to");
  part.add_unless("window_share", layers.window_share, typical.window_share,
                  "share of the layers that have the window");
  if (!layers.latent) return;
  std::string latent =
      fmt::format("{{key_value_rank: {}, rotary_head_size: {}, value_head_size: {}",
                  layers.latent->key_value_rank, layers.latent->rotary_head_size,
                  layers.latent->value_head_size);
  if (layers.latent->query_rank != 0)
    latent += fmt::format(", query_rank: {}", layers.latent->query_rank);
  if (layers.latent->index_heads != 0)
    latent += fmt::format(", index_heads: {}, index_head_size: {}, index_keys: {}",
                          layers.latent->index_heads, layers.latent->index_head_size,
                          layers.latent->index_keys);
  part.add("latent_attention", latent + '}');
}

std::string targets_text(const TransformerLayers& layers) {
  std::vector<std::string_view> names;
  for (const LoraTarget target : layers.lora_targets) names.push_back(name_of(target));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string part_text(const TransformerLayers& layers) {
  const TransformerLayers typical;
  const bool attends = layers.heads > 0, feeds = layers.feed_forward > 0;
  PartText part(attends && feeds ? "transformer" : attends ? "attention" : "mlp");
  part.add("layers", layers.count);
  part.add("hidden", layers.hidden, "width of the stream");
  if (feeds) {
    part.add("feed_forward", layers.feed_forward,
             layers.experts > 1 ? "width of an expert" : "width of the MLP");
    part.add_unless("gated", layers.gated, typical.gated, "gate, up and down, as SwiGLU has them");
    add_experts(part, layers);
  }
  if (attends) add_attention(part, layers);
  part.add_unless("biases", layers.biases, typical.biases, "biases of products and norms");
  if (layers.norm_biases) part.add("norm_biases", *layers.norm_biases);
  part.add_unless("conditioning", layers.conditioning, typical.conditioning,
                  "outputs of products of one row a sample");
  part.add_unless("streams", layers.streams, typical.streams, "streams with weights of their own");
  part.add_unless("norms", layers.norms, typical.norms, "4: norms of each branch's output too");
  part.add_unless("dropout", layers.dropout, typical.dropout);
  part.add_unless("frozen", layers.frozen, typical.frozen);
  part.add_unless("lora_rank", layers.lora_rank, typical.lora_rank, "rank of adapters");
  if (layers.lora_targets != typical.lora_targets) part.add("lora_targets", targets_text(layers));
  return part.text();
}

std::string part_text(const StateSpaceLayers& layers) {
  const StateSpaceLayers typical;
  PartText part(layers.has_state() ? "state_space" : "short_convolution");
  part.add("layers", layers.count);
  part.add("hidden", layers.hidden, "width of the stream");
  if (layers.has_state()) {
    part.add("heads", layers.heads);
    part.add("head_size", layers.head_size);
    part.add("state_size", layers.state_size);
    part.add_unless("groups", layers.groups, typical.groups);
    part.add_unless("chunk", layers.chunk, typical.chunk);
  }
  part.add("convolution", layers.convolution, "tokens that one sees");
  part.add_unless("biases", layers.biases, typical.biases);
  part.add_unless("convolution_biases", layers.convolution_biases, typical.convolution_biases);
  part.add_unless("delta_rule", layers.delta_rule, typical.delta_rule, "gated DeltaNet");
  part.add_unless("gate_rank", layers.gate_rank, typical.gate_rank, "Kimi Delta Attention");
  part.add_unless("frozen", layers.frozen, typical.frozen);
  return part.text();
}

std::string part_text(const Vocabulary& vocabulary) {
  const Vocabulary typical;
  PartText part("vocabulary");
  part.add("size", vocabulary.size, "entries");
  part.add("hidden", vocabulary.hidden, "width of the stream");
  part.add_unless("positions", vocabulary.positions, typical.positions, "learnt ones");
  part.add_unless("segments", vocabulary.segments, typical.segments);
  part.add_unless("tied", vocabulary.tied, typical.tied, "one table for both ends");
  part.add_unless("biases", vocabulary.biases, typical.biases, "biases of the norm");
  part.add_unless("output_biases", vocabulary.output_biases, typical.output_biases);
  part.add_unless("predictions", vocabulary.predictions, typical.predictions);
  part.add_unless("frozen", vocabulary.frozen, typical.frozen);
  return part.text();
}

template <class Shape>
std::string part_text(const Shape&) {
  return {};  // parts of images are not written
}

bool is_further(const ModelPart& part) {
  const auto* layers = std::get_if<TransformerLayers>(&part.shape);
  return layers != nullptr && layers->predicts_further;
}

/// Number of layers that predict further tokens.
int further_layers(const Model& model) {
  int count = 0;
  for (const ModelPart& part : model.parts)
    if (is_further(part)) count += std::get<TransformerLayers>(part.shape).count;
  return count;
}

/// True if the text reads back as the same model; files have no keys for some features.
bool is_same(const std::string& text, const Model& model) try {
  const Model again = read_model(YamlNode::parse(text, model.name));
  return parameters(again) == parameters(model) &&
         trainable_parameters(again) == trainable_parameters(model) &&
         model_flops(again).base() == model_flops(model).base();
} catch (const InputError&) {
  return false;
}

std::string head_text(const std::string& name, const std::string& title,
                      const std::string& source) {
  return fmt::format("format: 2\nname: {}\ntitle: {}\nsource: {}\n", yaml_text(name),
                     yaml_text(title), yaml_text(source));
}

}  // namespace

std::string model_template(const std::string& name) {
  return "# A model by its dimensions, Llama-like: change them to your own. `tofn check` prints "
         "the\n"
         "# parameters; `tofn explain KEY` and configs/README.md tell of the keys.\n" +
         head_text(name, name, "assumed: the dimensions of Llama 3 8B, to be replaced") +
         "sequence_length: 8192  # tokens of a sample\n"
         "precision: bf16        # of products: fp32, tf32, bf16, fp16, fp8 or fp4\n"
         "parts:                 # in forward order\n" +
         part_text(Vocabulary{.size = 128256, .hidden = 4096, .biases = false}) +
         part_text(TransformerLayers{.count = 32,
                                     .hidden = 4096,
                                     .feed_forward = 14336,
                                     .heads = 32,
                                     .key_value_heads = 8,
                                     .head_size = 128,
                                     .gated = true,
                                     .biases = false,
                                     .rotary = true}) +
         "# A mixture of experts has two keys more in its transformer:\n"
         "#      experts: 8\n"
         "#      experts_per_token: 2\n";
}

std::optional<std::string> written_model(const Model& model, const std::string& name) {
  std::string text = fmt::format("# {}: {} parameters, as tofn read them.\n", model.name,
                                 count_text(parameters(model), 4));
  for (const std::string& stated : model.substitutions)
    text += fmt::format("# instead: {}\n", stated);
  text += head_text(name, model.title.empty() ? name : model.title, model.source);
  text += fmt::format("sequence_length: {:g}  # tokens of a sample\n", model.sequence_length);
  text += fmt::format("precision: {}  # of products: fp32, tf32, bf16, fp16, fp8 or fp4\n",
                      to_text(model.precision));
  if (const int layers = further_layers(model); layers > 0)
    text += fmt::format("mtp_layers: {}  # that predict further tokens\n", layers);
  text += "parts:  # in forward order\n";
  for (const ModelPart& part : model.parts) {
    if (is_further(part)) continue;
    const std::string lines =
        std::visit([](const auto& shape) { return part_text(shape); }, part.shape);
    if (lines.empty()) return {};
    text += lines;
  }
  if (!is_same(text, model)) return {};
  return text;
}

std::string model_starter(const Model& model, const std::string& name) {
  if (const auto text = written_model(model, name)) return *text;
  throw InputError(fmt::format(
      "{}: not all of it can be written as a file of parts: commands take its own file as it is",
      model.name));
}

}  // namespace config
}  // namespace tofn
