#include "sim/config/load_model.hpp"

#include <fmt/format.h>

#include "sim/yaml/named_file.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr const char* load_model_configs = TOFN_SOURCE_DIR "/configs";

/// Model of a file in which `parts` starts on line 6.
Model model_of(const std::string& parts, const std::string& tokens = "sequence_length: 128\n") {
  const TemporaryFile file("model.yaml",
                           "name: tiny\ntitle: Tiny\nsource: arXiv\nprecision: bf16\n"
                           "parts:\n" +
                               parts + tokens);
  return load_model(file.path());
}

/// Message that refuses the file, without its name.
std::string refusal_of_model(const std::string& parts,
                             const std::string& tokens = "sequence_length: 128\n") {
  const std::string whole = refusal([&] { model_of(parts, tokens); });
  const auto end = whole.find(".yaml");
  return end == std::string::npos ? whole : whole.substr(end + 5);
}

std::string transformer(const std::string& more) {
  return fmt::format("  - transformer: {{layers: 2, hidden: 64, feed_forward: 256, {}}}\n", more);
}

}  // namespace

TEST_CASE("every shipped model loads, named as its file, with parameters and work") {
  const auto files = files_in(load_model_configs, "models");
  CHECK(files.size() == 109);
  for (const auto& file : files) {
    INFO(file.string());
    const Model model = load_model(file);
    CHECK(model.name == file.stem());
    CHECK_FALSE(model.source.empty());
    CHECK(parameters(model) > 1e7);
    CHECK(model_flops(model).base() > 1e10);
  }
}

TEST_CASE("a model is found by name or by path") {
  CHECK(find_model(load_model_configs, "llama3-8b").title == "Llama 3 8B");
  CHECK(find_model(load_model_configs, std::string(load_model_configs) + "/models/resnet-50.yaml")
            .name == "resnet-50");
  CHECK_THAT(refusal([] { find_model(load_model_configs, "resnet-5"); }),
             ContainsText("unknown model 'resnet-5', did you mean 'resnet-50', ") &&
                 ContainsText("? All 109: `tofn list models`; a config.json, the folder"));
}

TEST_CASE("what a transformer does not say follows from what it says") {
  const Model model = model_of(transformer("heads: 4"));
  const auto layers = std::get<TransformerLayers>(model.parts.at(0).shape);
  CHECK(layers.count == 2);
  CHECK(layers.key_value_heads == 4);
  CHECK(layers.head_size == 16);
  CHECK(layers.experts == 1);
  CHECK(model.sequence_length == 128);
  CHECK(model.precision == Precision::Bf16);
}

TEST_CASE("every key of a transformer is read") {
  const Model model = model_of(transformer(
      "heads: 4, key_value_heads: 2, head_size: 32, gated: true, biases: false, rotary: true, "
      "causal: false, fused_attention: false, dropout: true, experts: 8, experts_per_token: 2, "
      "lora_rank: 4, shared_feed_forward: 16, norms: 4, norm_biases: true, query_key_norms: true, "
      "query_key_value_biases: true, expert_groups: 4, groups_per_token: 2, expert_imbalance: "
      "1.5, conditioning: 48, streams: 2"));
  const auto layers = std::get<TransformerLayers>(model.parts.at(0).shape);
  CHECK(layers.key_value_heads == 2);
  CHECK(layers.head_size == 32);
  CHECK((layers.gated && !layers.biases && layers.rotary && !layers.causal));
  CHECK((!layers.fused_attention && layers.dropout));
  CHECK(layers.experts == 8);
  CHECK(layers.experts_per_token == 2);
  CHECK(layers.routing() == TokenRouting{8, 2, 4, 2});
  CHECK(layers.expert_imbalance == 1.5);
  CHECK(layers.lora_rank == 4);
  CHECK(layers.shared_feed_forward == 16);
  CHECK(layers.norms == 4);
  CHECK((layers.query_key_norms && layers.norm_biases == true));
  CHECK(layers.query_key_value_biases == true);
  CHECK((layers.conditioning == 48 && layers.streams == 2));
}

TEST_CASE("tokens predicted beyond the next one are layers like the last") {
  const std::string vocabulary = "  - vocabulary: {size: 100, hidden: 64}\n";
  const std::string two = "sequence_length: 128\nmtp_layers: 2\n";
  const Model model = model_of(vocabulary + transformer("heads: 4"), two);
  CHECK(std::get<Vocabulary>(model.parts.at(0).shape).further_tokens == 2);
  const auto further = std::get<TransformerLayers>(model.parts.at(2).shape);
  CHECK((further.predicts_further && further.count == 2 && further.hidden == 64));
  CHECK_FALSE(std::get<TransformerLayers>(model.parts.at(1).shape).predicts_further);
  CHECK_THAT(refusal_of_model(transformer("heads: 4"), two),
             ContainsText("mtp_layers: needs transformer layers and a vocabulary"));
}

TEST_CASE("a window and latent attention are read") {
  const Model model = model_of(transformer(
      "heads: 4, head_size: 24, biases: false, rotary: true, window: 32, window_share: 0.25, "
      "latent_attention: {query_rank: 12, key_value_rank: 10, rotary_head_size: 8, "
      "value_head_size: 16}"));
  const auto layers = std::get<TransformerLayers>(model.parts.at(0).shape);
  CHECK(layers.window == 32);
  CHECK(layers.window_share == 0.25);
  REQUIRE(layers.latent);
  CHECK(layers.latent->query_rank == 12);
  CHECK(layers.latent->key_value_rank == 10);
  CHECK(layers.latent->rotary_head_size == 8);
  CHECK(layers.latent->value_head_size == 16);
  CHECK(layers.latent->index_heads == 0);
}

TEST_CASE("the index of sparse attention is read whole, and needs that attention is causal") {
  const auto with = [](const std::string& keys, const std::string& index) {
    return transformer("heads: 4, head_size: 24, biases: false, rotary: true, " + keys +
                       "latent_attention: {key_value_rank: 10, rotary_head_size: 8, "
                       "value_head_size: 16, " +
                       index + "}");
  };
  const std::string index = "index_heads: 3, index_head_size: 6, index_keys: 5";
  const auto layers = std::get<TransformerLayers>(model_of(with("", index)).parts.at(0).shape);
  CHECK(layers.latent->index_heads == 3);
  CHECK(layers.latent->index_head_size == 6);
  CHECK(layers.latent->index_keys == 5);
  CHECK_THAT(refusal_of_model(with("", "index_keys: 5")),
             ContainsText("missing key 'index_heads'"));
  CHECK_THAT(refusal_of_model(with("window: 32, ", index)),
             ContainsText("index_keys: needs causal, fused attention without a window"));
}

TEST_CASE("a short convolution and gates of narrow rows are read") {
  const Model model = model_of(
      "  - short_convolution: {layers: 2, hidden: 64, convolution: 3}\n"
      "  - state_space: {layers: 2, hidden: 64, heads: 4, head_size: 16, state_size: 16, "
      "delta_rule: true, gate_rank: 16}\n");
  const auto convolution = std::get<StateSpaceLayers>(model.parts.at(0).shape);
  CHECK_FALSE(convolution.has_state());
  CHECK(convolution.convolution == 3);
  CHECK(std::get<StateSpaceLayers>(model.parts.at(1).shape).gate_rank == 16);
  CHECK_THAT(refusal_of_model("  - state_space: {layers: 2, hidden: 64, heads: 4, head_size: 16, "
                              "state_size: 16, gate_rank: 16}\n"),
             ContainsText("gate_rank: needs delta_rule"));
}

TEST_CASE("what would change nothing in a transformer is refused") {
  const std::string latent =
      "heads: 4, latent_attention: {key_value_rank: 8, rotary_head_size: 8, value_head_size: 16}, ";
  CHECK_THAT(refusal_of_model(transformer("heads: 4, shared_feed_forward: 8")),
             ContainsText("shared_feed_forward: needs experts: without them it is feed_forward"));
  CHECK_THAT(refusal_of_model(transformer("heads: 4, window_share: 0.5")),
             ContainsText("window_share: needs window"));
  CHECK_THAT(refusal_of_model(transformer("heads: 4, window: 8, causal: false")),
             ContainsText("window: needs causal, fused attention"));
  CHECK_THAT(refusal_of_model(transformer("heads: 4, norms: 3")),
             ContainsText("norms: must be 2 or 4, got 3"));
  CHECK_THAT(refusal_of_model(transformer(latent + "biases: false, rotary: true")),
             ContainsText("latent_attention: needs head_size, that of queries and keys"));
  CHECK_THAT(refusal_of_model(transformer(latent + "head_size: 8, biases: false, rotary: true")),
             ContainsText("rotary_head_size: must be below head_size 8"));
  CHECK_THAT(refusal_of_model(transformer(latent + "head_size: 24, rotary: true")),
             ContainsText("latent_attention: has no biases"));
  CHECK_THAT(refusal_of_model(
                 transformer(latent + "head_size: 24, biases: false, rotary: true, lora_rank: 2")),
             ContainsText("lora_rank: adapters of latent attention are not modelled"));
}

TEST_CASE("a list of sizes applies one convolution's weights to each") {
  const Model model = model_of(
      "  - convolution: {name: tower, inputs: 8, outputs: 8, kernel: 3, size: [16, 8, 4], biases: "
      "true, norm: false}\n",
      "");
  REQUIRE(model.parts.size() == 3);
  CHECK(parameters(model) == 9 * 8 * 8 + 8);
  CHECK(std::get<Convolution>(model.parts[2].shape).width == 4);
  CHECK(model.parts[2].name == "tower");
}

TEST_CASE("a linear layer is a 1x1 convolution of its rows") {
  const Model model = model_of("  - linear: {rows: 5, inputs: 8, outputs: 16}\n", "");
  CHECK(parameters(model) == 8 * 16 + 16);
  CHECK(model_flops(model).base() == 3 * 2 * 5 * 8 * 16);
  const Model one = model_of("  - linear: {inputs: 8, outputs: 16}\n", "");
  CHECK(model_flops(one).base() == 3 * 2 * 8 * 16);
}

TEST_CASE("groups of a convolution divide its inputs and outputs") {
  const auto grouped = [](int groups) {
    return fmt::format(
        "  - convolution: {{inputs: 8, outputs: 12, kernel: 3, size: 4, groups: {}}}\n", groups);
  };
  // Two groups have 4 inputs for each of their 6 outputs.
  const Model model = model_of(grouped(2), "");
  CHECK(model_flops(model).base() == 3 * 2 * 4 * 4 * (2 * 6 * 4 * 9));
  for (const int groups : {3, 8})
    CHECK_THAT(refusal_of_model(grouped(groups), ""),
               ContainsText("groups: must divide 8 inputs and 12 outputs"));
}

TEST_CASE("a stage of blocks is its convolutions") {
  // torchvision's layer1 of ResNet-50 has 215,808 parameters.
  const Model model =
      model_of("  - bottlenecks: {count: 3, inputs: 64, width: 64, outputs: 256, size: 56}\n", "");
  CHECK(model.parts.size() == 7);
  CHECK(parameters(model) == 215'808);
}

TEST_CASE("a bad model is refused where it is wrong") {
  CHECK(refusal_of_model("  - transfomer: {}\n") ==
        ":6:5: parts: unknown part 'transfomer', did you mean 'transformer'? valid parts: "
        "vocabulary, transformer, attention, mlp, state_space, short_convolution, pattern, "
        "convolution, linear, "
        "bottlenecks, residual_blocks, image_transformer");
  CHECK(refusal_of_model("  - {vocabulary: {}, transformer: {}}\n") ==
        ":6:5: parts: a part has one key, its kind; this one has 2");
  CHECK(refusal_of_model("  []\n") == ":6:3: parts: needs at least one part");
  CHECK_THAT(refusal_of_model(transformer("heads: 3")), ContainsText("must divide hidden 64"));
  CHECK_THAT(refusal_of_model(transformer("heads: 4, key_value_heads: 3")),
             ContainsText("key_value_heads: must divide the 4 heads"));
  CHECK_THAT(refusal_of_model(transformer("heads: 4, experts: 2, experts_per_token: 3")),
             ContainsText("experts_per_token: must not exceed the 2 experts"));
  CHECK(refusal_of_model(transformer("heads: 4, experts: 2, experts_per_token: 2")) == "accepted");
  CHECK_THAT(refusal_of_model(transformer("heads: 4, experts: 2")),
             ContainsText("missing key 'experts_per_token'"));
  const auto mixture = [](const std::string& more) {
    return refusal_of_model(transformer("heads: 4, experts: 8, experts_per_token: 4, " + more));
  };
  CHECK_THAT(mixture("expert_groups: 4"), ContainsText("expert_groups: needs groups_per_token"));
  CHECK_THAT(mixture("groups_per_token: 4"), ContainsText("groups_per_token: needs expert_groups"));
  CHECK_THAT(mixture("expert_groups: 3, groups_per_token: 1"),
             ContainsText("expert_groups: must divide the 8 experts"));
  CHECK_THAT(mixture("expert_groups: 4, groups_per_token: 5"),
             ContainsText("groups_per_token: must not exceed the 4 groups"));
  CHECK(mixture("expert_groups: 4, groups_per_token: 4") == "accepted");
  CHECK(mixture("expert_groups: 4, groups_per_token: 2") == "accepted");  // 4 of 4 experts
  CHECK_THAT(mixture("expert_groups: 4, groups_per_token: 1"),
             ContainsText("groups_per_token: leaves 2 experts to choose 4 of"));
  CHECK_THAT(mixture("expert_imbalance: 0.5"),
             ContainsText("expert_imbalance: must be from 1 to 8"));
  CHECK_THAT(refusal_of_model(transformer("heads: 4, expert_groups: 2, groups_per_token: 1")),
             ContainsText("expert_groups: needs experts"));
  CHECK_THAT(refusal_of_model(transformer("heads: 0")),
             ContainsText("heads: must be from 1 to 10000000, got 0"));
  CHECK_THAT(refusal_of_model(transformer("heads: 4, gate: true")),
             ContainsText("unknown key 'gate', did you mean 'gated'?"));
}

TEST_CASE("parts that do not belong together are refused") {
  const std::string vocabulary = "  - vocabulary: {size: 10, hidden: 64, ";
  CHECK(
      refusal_of_model(transformer("heads: 4"), "") ==
      ":1:1: transformer and state-space layers need 'sequence_length', the tokens of one sample");
  CHECK(refusal_of_model("  - linear: {inputs: 8, outputs: 8}\n") ==
        ":1:1: 'sequence_length' needs transformer or state-space layers");
  CHECK(refusal_of_model("  - vocabulary: {size: 10, hidden: 32}\n" + transformer("heads: 4")) ==
        ":1:1: parts of one text differ in hidden: 32 and 64");
  CHECK(refusal_of_model(vocabulary + "positions: 100}\n" + transformer("heads: 4")) ==
        ":1:1: 100 positions do not suffice for 128 tokens");
  CHECK(refusal_of_model(vocabulary + "predictions: 129}\n" + transformer("heads: 4")) ==
        ":1:1: 129 predictions of 128 tokens");
  CHECK(refusal_of_model(vocabulary + "}\n" + vocabulary + "}\n" + transformer("heads: 4")) ==
        ":1:1: has more than one vocabulary");
}

TEST_CASE("groups divide channels, heads divide channels") {
  CHECK_THAT(refusal_of_model("  - convolution: {inputs: 8, outputs: 6, size: 4, groups: 4}\n", ""),
             ContainsText("groups: must divide 8 inputs and 6 outputs"));
  CHECK_THAT(refusal_of_model(
                 "  - bottlenecks: {inputs: 8, width: 6, outputs: 8, size: 4, groups: 4}\n", ""),
             ContainsText("groups: must divide width 6"));
  CHECK_THAT(refusal_of_model("  - image_transformer: {channels: 8, heads: 3, positions: 4, "
                              "text_positions: 4, text_channels: 4}\n",
                              ""),
             ContainsText("heads: must divide channels 8"));
}

TEST_CASE("parts of a hybrid: a state space, attention and an MLP alone") {
  const std::string scan =
      "state_space: {layers: 2, hidden: 64, heads: 4, head_size: 32, state_size: 16";
  const Model model = model_of(
      "  - " + scan + ", groups: 2, chunk: 64, convolution_biases: false, delta_rule: true}\n" +
      "  - attention: {layers: 1, hidden: 64, heads: 4, rotary: true, output_gate: true}\n" +
      "  - mlp: {layers: 1, hidden: 64, feed_forward: 256, gated: true}\n");
  const auto& layers = std::get<StateSpaceLayers>(model.parts[0].shape);
  CHECK((layers.groups == 2 && layers.chunk == 64 && layers.convolution == 4));
  CHECK_FALSE(layers.convolution_biases);
  CHECK(layers.delta_rule);
  CHECK(std::get<TransformerLayers>(model.parts[1].shape).output_gate);
  CHECK(std::get<TransformerLayers>(model.parts[1].shape).feed_forward == 0);
  CHECK(std::get<TransformerLayers>(model.parts[2].shape).heads == 0);
  CHECK(refusal_of_model("  - " + scan + ", groups: 3}\n") ==
        ":6:91: parts.state_space.groups: must divide the 4 heads");
  CHECK_THAT(refusal_of_model("  - attention: {layers: 1, hidden: 64, heads: 4, gated: true}\n"),
             ContainsText("unknown key 'gated'"));
  CHECK(
      refusal_of_model("  - " + scan + "}\n", "") ==
      ":1:1: transformer and state-space layers need 'sequence_length', the tokens of one sample");
}

TEST_CASE("layers may follow a pattern of letters") {
  const std::string letters =
      "      letters:\n"
      "        a: {attention: {layers: 1, hidden: 64, heads: 4}}\n"
      "        m: {mlp: {layers: 2, hidden: 64, feed_forward: 256}}\n";
  const Model model = model_of("  - pattern:\n      order: amma\n" + letters);
  REQUIRE(model.parts.size() == 4);
  CHECK(model.parts[1].name == "mlp");
  CHECK(model.parts[3].traits().attends);
  CHECK(refusal_of_model("  - pattern:\n      order: amx\n" + letters) ==
        ":7:14: parts.pattern.order: unknown letter 'x', did you mean 'a'? valid letters: a, m");
  CHECK(refusal_of_model("  - pattern:\n      order: aaa\n" + letters) ==
        ":10:12: parts.pattern.letters.m: is no letter of the order");
}
