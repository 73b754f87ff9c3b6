#include <string>

#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

LaunchReading foundry_reading(const std::string& model) {
  return reading(
      "max_seq_len: 2048\nglobal_train_batch_size: 64\ndevice_train_microbatch_size: 8\n"
      "max_duration: 100ba\noptimizer: {name: decoupled_adamw}\nmodel:\n  name: "
      "mpt_causal_lm\n" +
          model,
      "mpt.yaml", 8);
}

LaunchedTraining of_foundry(const std::string& model) { return foundry_reading(model).training; }

std::string refused(const std::string& model) {
  return refusal([&] { of_foundry(model); });
}

}  // namespace

TEST_CASE("llm-foundry's models are their dimensions: MPT 7B") {
  const LaunchedTraining training = of_foundry(
      "  d_model: 4096\n  n_heads: 32\n  n_layers: 32\n  expansion_ratio: 4\n  vocab_size: 50432\n"
      "  no_bias: true\n  attn_config: {alibi: true}\n");
  CHECK(training.steps == 100);
  REQUIRE(training.own_model);
  CHECK(parameters(*training.own_model) == 6'649'286'656);
}

TEST_CASE("what llm-foundry's file leaves out is as its classes have it") {
  const LaunchedTraining training = of_foundry("  d_model: 1024\n");
  const auto& vocabulary = std::get<Vocabulary>(training.own_model->parts[0].shape);
  CHECK((vocabulary.size == 50368 && vocabulary.tied && vocabulary.positions == 2048));
  const auto& layers = std::get<TransformerLayers>(training.own_model->parts[1].shape);
  CHECK((layers.count == 24 && layers.heads == 16 && layers.feed_forward == 4096));
  CHECK((layers.biases && !layers.rotary && !layers.gated && layers.key_value_heads == 16));
}

TEST_CASE("llm-foundry's groups, gates, positions and experts") {
  const LaunchedTraining training = of_foundry(
      "  d_model: 6144\n  n_heads: 48\n  n_layers: 40\n  vocab_size: 100352\n  no_bias: true\n"
      "  tie_word_embeddings: false\n"
      "  attn_config: {rope: true, kv_n_heads: 8, qk_ln: true}\n"
      "  ffn_config: {ffn_type: torch_dmoe, ffn_hidden_size: 10752, moe_num_experts: 16, "
      "moe_top_k: 4}\n");
  const auto& layers = std::get<TransformerLayers>(training.own_model->parts[1].shape);
  CHECK((layers.rotary && layers.gated && layers.query_key_norms && layers.key_value_heads == 8));
  CHECK((layers.experts == 16 && layers.experts_per_token == 4));
  CHECK(std::get<Vocabulary>(training.own_model->parts[0].shape).positions == 0);
  CHECK_FALSE(std::get<Vocabulary>(training.own_model->parts[0].shape).tied);
}

TEST_CASE("llm-foundry's kind of attention states no heads of its own, except for one") {
  const auto heads = [](const std::string& attention) {
    const LaunchReading read = foundry_reading("  attn_config: {" + attention + "}\n");
    CHECK(read.not_understood.empty());
    return std::get<TransformerLayers>(read.training.own_model->parts[1].shape).key_value_heads;
  };
  CHECK(heads("attn_type: multihead_attention") == 16);
  CHECK(heads("attn_type: grouped_query_attention, kv_n_heads: 4") == 4);
  CHECK(heads("attn_type: multiquery_attention") == 1);
  CHECK_THAT(refused("  attn_config: {attn_type: novel}\n"),
             ContainsText("'novel' is not understood here: multihead_attention, "));
}

TEST_CASE("llm-foundry's gated MLP") {
  const auto is_gated = [](const std::string& type) {
    const LaunchedTraining training = of_foundry("  ffn_config: {ffn_type: " + type + "}\n");
    return std::get<TransformerLayers>(training.own_model->parts[1].shape).gated;
  };
  CHECK(is_gated("mptglu"));
  CHECK_FALSE(is_gated("mptmlp"));
}

TEST_CASE("dimensions of llm-foundry that make no model are refused") {
  CHECK_THAT(refused("  n_heads: 7\n"), ContainsText("model.n_heads: must divide d_model, 2048"));
  CHECK_THAT(refused("  attn_config: {kv_n_heads: 5}\n"),
             ContainsText("kv_n_heads: must divide the 16 heads"));
  CHECK_THAT(refused("  n_layers: 0\n"), ContainsText("model.n_layers: must be at least 1"));
  CHECK_THAT(refused("  expansion_ratio: 0\n"),
             ContainsText("model.expansion_ratio: must be above 0"));
  CHECK_THAT(refused("  ffn_config: {ffn_type: mb_dmoe, moe_num_experts: 2, moe_top_k: 4}\n"),
             ContainsText("moe_top_k: there are 2 experts"));
  CHECK_THAT(refused("  d_model: 99999999\n"), ContainsText("must be from 0 to 10000000"));
}
