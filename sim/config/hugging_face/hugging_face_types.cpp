#include "sim/config/hugging_face/hugging_face_types.hpp"

#include <array>
#include <map>
#include <utility>

#include "sim/config/hugging_face/hugging_face_hybrid.hpp"

namespace tofn {
namespace assets {
extern const std::string_view architectures;  // architectures.yaml
}  // namespace assets
inline namespace config {
namespace {

template <class T, std::size_t count>
using Names = std::array<std::pair<std::string_view, T>, count>;

constexpr Names<TokenPositions, 3> positions{{{"rotary", TokenPositions::Rotary},
                                              {"learnt", TokenPositions::Learned},
                                              {"neither", TokenPositions::Neither}}};
constexpr Names<LayerKinds, 5> layer_kinds{{{"transformer", LayerKinds::Transformer},
                                            {"state_space", LayerKinds::StateSpace},
                                            {"pattern", LayerKinds::Pattern},
                                            {"two_widths", LayerKinds::TwoWidths},
                                            {"blocks", LayerKinds::Blocks}}};
constexpr Names<decltype(HybridKeys::pattern), 7> patterns{{{"stated", stated_pattern},
                                                            {"periodic", periodic_pattern},
                                                            {"indexed", indexed_pattern},
                                                            {"parallel", parallel_pattern},
                                                            {"kimi", kimi_pattern},
                                                            {"convolution", convolution_pattern},
                                                            {"typed", typed_pattern}}};
constexpr Names<decltype(HybridKeys::state_space), 5> state_spaces{
    {{"mamba2", read_state_space},
     {"mamba", read_first_state_space},
     {"delta_net", read_delta_net},
     {"kimi_delta", read_kimi_delta},
     {"short_convolution", read_short_convolution}}};

void read_typical(Fields& of, std::string_view key, DefaultDimensions& out) {
  const auto node = of.optional_child(key);
  if (!node) return;
  Fields fields = node->fields();
  fields.optional("layers", out.layers).optional("hidden", out.hidden);
  fields.optional("width", out.width).optional("limit", out.limit).optional("heads", out.heads);
  fields.optional("groups", out.groups).optional("head_size", out.head_size);
  fields.optional("vocabulary", out.vocabulary).done();
}

HuggingFaceArchitecture architecture_in(const std::string& type, const YamlNode& node) {
  HuggingFaceArchitecture out{.type = type};
  Fields fields = node.fields();
  fields.optional("gated", out.gated).optional_choice("positions", out.positions, positions);
  if (const auto biases = fields.optional_child("biases"))
    biases->fields()
        .optional("query_key_value", out.biases.query_key_value)
        .optional("products", out.biases.products)
        .optional("norms", out.biases.norms)
        .done();
  fields.optional("bias_key", out.bias_key).optional("norms", out.norms);
  fields.optional("query_key_norms", out.query_key_norms);
  fields.optional("bare_query_key_norms", out.bare_query_key_norms);
  fields.optional("output_gate", out.output_gate).optional("tied", out.tied);
  fields.optional("needs_head_size", out.needs_head_size);
  fields.optional("needs_groups", out.needs_groups).optional("needs_experts", out.needs_experts);
  fields.optional("has_latent", out.has_latent);
  fields.optional("has_default_width", out.has_default_width);
  fields.optional("has_width_of_two", out.has_width_of_two);
  fields.optional("is_parallel", out.is_parallel).optional("window_share", out.window_share);
  fields.optional("full_every", out.full_every).optional("shared_experts", out.shared_experts);
  fields.optional("dense_beside_experts", out.dense_beside_experts);
  fields.optional("output_biases", out.output_biases);
  fields.optional("extra_positions", out.extra_positions);
  fields.optional("counts_extra_positions", out.counts_extra_positions);
  read_typical(fields, "usual", out.typical);
  read_typical(fields, "usual_text", out.typical_text);
  fields.optional("is_encoder", out.is_encoder).optional_choice("layers", out.layers, layer_kinds);
  fields.optional_choice("pattern", out.hybrid.pattern, patterns);
  fields.optional_choice("state_space", out.hybrid.state_space, state_spaces);
  fields.optional("idle", out.idle).done();
  return out;
}

/// Architectures by type, and the type whose layers each other name has.
struct KnownTypes {
  std::map<std::string, HuggingFaceArchitecture, std::less<>> architectures;
  std::map<std::string, std::string, std::less<>> other_names;
};

KnownTypes types_in(std::string_view yaml) {
  KnownTypes known;
  Fields fields = YamlNode::parse(std::string(yaml), "architectures.yaml").fields();
  for (const auto& [type, node] : fields.child("architectures").entries())
    known.architectures.emplace(type, architecture_in(type, node));
  for (const auto& [name, node] : fields.child("other_names").entries())
    node.read(known.other_names[name]);
  fields.done();
  return known;
}

const KnownTypes& known_types() {
  static const KnownTypes known = types_in(assets::architectures);
  return known;
}

}  // namespace

std::vector<HuggingFaceType> hugging_face_types() {
  std::vector<HuggingFaceType> types;
  for (const auto& [name, of] : known_types().other_names) types.push_back({name, of});
  for (const auto& [type, each] : known_types().architectures) types.push_back({type, type});
  std::ranges::sort(types, {}, &HuggingFaceType::name);
  return types;
}

const HuggingFaceArchitecture* architecture_named(std::string_view type) {
  const auto& [architectures, other_names] = known_types();
  const auto other = other_names.find(type);
  const auto found = architectures.find(other == other_names.end() ? type : other->second);
  return found == architectures.end() ? nullptr : &found->second;
}

}  // namespace config
}  // namespace tofn
