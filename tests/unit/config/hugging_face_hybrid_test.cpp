#include <string>

#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"
#include "tests/unit/model/models.hpp"

// Configs with the keys and dimensions of models on the hub.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Config of nvidia/Nemotron-H-8B-Base-8K.
std::string nemotron(const std::string& pattern, int layers = 52) {
  return fmt::format(
      R"({{"model_type": "nemotron_h", "hidden_size": 4096, "num_hidden_layers": {},
 "hybrid_override_pattern": "{}", "intermediate_size": 21504, "num_attention_heads": 32,
 "num_key_value_heads": 8, "attention_head_dim": 128, "mamba_num_heads": 128,
 "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4, "chunk_size": 128,
 "expand": 2, "use_conv_bias": true, "use_bias": false, "mamba_proj_bias": false,
 "mlp_bias": false, "attention_bias": false, "attention_dropout": 0.0, "hidden_dropout": 0.0,
 "mlp_hidden_act": "relu2", "max_position_embeddings": 8192, "tie_word_embeddings": false,
 "time_step_limit": [0.0, 1.0], "torch_dtype": "bfloat16", "sequence_length": 8192,
 "vocab_size": 131072}})",
      layers, pattern);
}

Model hybrid_of(const std::string& text) {
  const TemporaryFile file("config.json", text);
  return load_model(file.path());
}

std::string hybrid_refusal(const std::string& text) {
  const TemporaryFile file("config.json", text);
  const std::string whole = refusal([&] { load_model(file.path()); });
  return whole.substr(whole.find(".json:") + 6);
}

}  // namespace

TEST_CASE("a pattern names a hybrid's layers: the shipped Nemotron-H 8B") {
  const Model read = hybrid_of(nemotron("M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-"));
  const Model shipped = shipped_model("nemotron-h-8b");
  CHECK(read.substitutions == shipped.substitutions);  // the file leaves nothing open
  REQUIRE(read.substitutions.size() == 1);
  CHECK_THAT(read.substitutions[0], ContainsText("a state-space scan is assumed to run like"));
  CHECK(parameters(read) == parameters(shipped));
  CHECK(model_flops(read) == model_flops(shipped));
  REQUIRE(read.parts.size() == shipped.parts.size());
  for (std::size_t i = 0; i < read.parts.size(); ++i)
    CHECK(read.parts[i].name == shipped.parts[i].name);
  const Plan split{.tensor_parallel_size = 8, .sequence_parallel = true};
  CHECK(layer_work(read, split).back().parameters == layer_work(shipped, split).back().parameters);
}

TEST_CASE("neighbours of one letter are one part") {
  const Model model = hybrid_of(nemotron("MMM*--", 6));
  REQUIRE(model.parts.size() == 4);
  CHECK(model.parts[1].traits().layers == 3);
  CHECK(model.parts[3].traits().layers == 2);
}

TEST_CASE("a pattern that is wrong is refused") {
  CHECK_THAT(hybrid_refusal(nemotron("MM", 3)), ContainsText("names 2 layers of 3"));
  CHECK_THAT(hybrid_refusal(nemotron("MXM", 3)),
             ContainsText("layer 2 is 'X': valid are M, *, -, and E where there are experts"));
  CHECK_THAT(hybrid_refusal(nemotron("MEM", 3)), ContainsText("layer 2 is 'E'"));
}

TEST_CASE("a pure state-space model of the hub: Mamba-2 2.7B") {
  const Model model = hybrid_of(
      R"({"model_type": "mamba2", "hidden_size": 2560, "num_hidden_layers": 64, "num_heads": 80,
 "head_dim": 64, "n_groups": 1, "state_size": 128, "conv_kernel": 4, "chunk_size": 256, "expand": 2,
 "use_bias": false, "use_conv_bias": true, "rms_norm": true, "tie_word_embeddings": true,
 "torch_dtype": "bfloat16", "vocab_size": 50288})");
  CHECK_THAT(parameters(model), WithinRel(2.7e9, 0.002));  // arXiv 2405.21060
  CHECK(model.sequence_length == 4096);
  CHECK(model.substitutions.front() ==
        "sequence length 4096, since the file gives none (--sequence-length)");
}

TEST_CASE("layers of a hybrid by period, by index, by type, and side by side") {
  const std::string head =
      R"("hidden_size": 64, "num_hidden_layers": 4, "intermediate_size": 256,
 "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 4096,
 "torch_dtype": "bfloat16", "vocab_size": 512, )";
  const std::string mamba2 =
      R"("mamba_n_heads": 2, "mamba_d_head": "auto", "mamba_n_groups": 1, "mamba_d_state": 16,
 "mamba_d_conv": 4, "mamba_chunk_size": 64, "mamba_expand": 2)";
  const auto letters = [&](const std::string& type, const std::string& keys) {
    std::string all;
    for (const ModelPart& part :
         hybrid_of("{\"model_type\": \"" + type + "\", " + head + keys + "}").parts) {
      const PartTraits traits = part.traits();
      if (part.name == "vocabulary") continue;
      const char letter = part.name == "state_space" ? 'M'
                          : part.name == "attention" ? '*'
                          : part.name == "experts"   ? 'E'
                                                     : '-';
      all += std::string(static_cast<std::size_t>(traits.layers), letter);
    }
    return all;
  };
  CHECK(
      letters("jamba", R"("attn_layer_period": 4, "attn_layer_offset": 1, "expert_layer_period": 2,
 "expert_layer_offset": 1, "num_experts": 4, "num_experts_per_tok": 2, "mamba_d_state": 16,
 "mamba_d_conv": 4)") == "M-*EM-ME");
  CHECK(letters("bamba", R"("attn_layer_indices": [2], )" + mamba2) == "M-M-*-M-");
  CHECK(letters("falcon_h1", mamba2) == "M*-M*-M*-M*-");
  CHECK(letters("granitemoehybrid", R"("layer_types": ["mamba", "attention", "mamba", "mamba"],
 "num_local_experts": 4, "num_experts_per_tok": 2, )" +
                                        mamba2) == "ME*EMEME");
  const std::string delta =
      R"("head_dim": 16, "linear_num_value_heads": 4, "linear_num_key_heads": 2,
 "linear_value_head_dim": 16, "linear_key_head_dim": 16, "linear_conv_kernel_dim": 4)";
  const std::string fourth = R"("full_attention_interval": 4, )" + delta;
  CHECK(letters("qwen3_5", fourth) == "M-M-M-*-");
  CHECK(letters("qwen3_5", R"("full_attention_interval": 2, )" + delta) == "M-*-M-*-");
  CHECK(
      letters(
          "qwen3_next",
          R"("num_experts": 4, "num_experts_per_tok": 2, "mlp_only_layers": [1], "full_attention_interval": 4,
 "moe_intermediate_size": 32, )" +
              delta) == "MEM-ME*E");
  CHECK_THAT(hybrid_refusal("{\"model_type\": \"qwen3_5\", " + head + delta + "}"),
             ContainsText("missing key 'full_attention_interval' or 'layer_types'"));
  CHECK_THAT(hybrid_refusal("{\"model_type\": \"qwen3_5\", " + head +
                            R"("layer_types": ["linear_attention"], )" + delta + "}"),
             ContainsText("layer_types: names 1 layers of 4"));
  const Model model = hybrid_of("{\"model_type\": \"qwen3_5\", " + head + fourth + "}");
  const auto& scan = std::get<StateSpaceLayers>(model.parts[1].shape);
  CHECK((scan.heads == 4 && scan.groups == 2 && scan.delta_rule && scan.chunk == 64));
  CHECK(std::get<TransformerLayers>(model.parts[7].shape).output_gate);
}

TEST_CASE("layers that a list of blocks makes narrower: Nemotron's search") {
  const auto config = [](const std::string& blocks, int layers) {
    return fmt::format(
        R"({{"model_type": "nemotron-nas", "hidden_size": 8192, "num_hidden_layers": {},
 "num_attention_heads": 64, "num_key_value_heads": null, "intermediate_size": null,
 "max_position_embeddings": 4096, "torch_dtype": "bfloat16", "vocab_size": 128256,
 "block_configs": [{}]}})",
        layers, blocks);
  };
  const std::string whole =
      R"({"attention": {"n_heads_in_group": 8, "no_op": false, "replace_with_linear": false},
 "ffn": {"ffn_mult": 5.25, "no_op": false}})";
  const std::string mlp =
      R"({"attention": {"n_heads_in_group": null, "no_op": true}, "ffn": {"ffn_mult": 1.3125}})";
  const std::string product =
      R"({"attention": {"replace_with_linear": true}, "ffn": {"no_op": true}})";
  const Model model = hybrid_of(config(whole + ", " + whole + ", " + mlp + ", " + product, 4));
  REQUIRE(model.parts.size() == 3);
  const auto& first = std::get<TransformerLayers>(model.parts[1].shape);
  CHECK((first.count == 2 && first.heads == 64 && first.key_value_heads == 8));
  CHECK(first.feed_forward == 28672);  // that of Llama 3 70B, where the search began
  const auto& second = std::get<TransformerLayers>(model.parts[2].shape);
  CHECK((second.heads == 0 && second.feed_forward == 7168));
  CHECK(model.substitutions.back() ==
        "in 1 halves of layers one product stands for attention or an MLP: it is not counted");
  CHECK_THAT(hybrid_refusal(config(whole, 2)), ContainsText("block_configs: names 1 layers of 2"));
  CHECK_THAT(hybrid_refusal(config(R"({"attention": {"n_heads_in_group": 7}, "ffn": {}})", 1)),
             ContainsText("7 heads in a group do not divide 64"));
  CHECK_THAT(
      hybrid_refusal(config(R"({"attention": {"no_op": true}, "ffn": {"ffn_mult": 1e9}})", 1)),
      ContainsText("an ffn_mult of 1e+09 is no width"));
  CHECK_THAT(hybrid_refusal(config(product, 2'001)), ContainsText("2001 layers are too many"));
  CHECK_THAT(hybrid_refusal(config(product, 1)), ContainsText("needs a layer that has something"));
}

TEST_CASE("layers that see all may have heads of another size: Gemma 4") {
  const Model model = hybrid_of(
      R"({"model_type": "gemma4", "text_config": {"model_type": "gemma4_text", "hidden_size": 2816,
 "num_hidden_layers": 6, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256,
 "global_head_dim": 512, "num_global_key_value_heads": 2, "intermediate_size": 2112,
 "moe_intermediate_size": 704, "num_experts": 128, "top_k_experts": 8, "sliding_window": 1024,
 "attention_k_eq_v": true, "max_position_embeddings": 262144, "vocab_size": 262144,
 "dtype": "bfloat16"}})");
  REQUIRE(model.parts.size() == 3);
  const auto& sliding = std::get<TransformerLayers>(model.parts[1].shape);
  CHECK((sliding.count == 5 && sliding.window == 1024 && sliding.window_share == 1));
  CHECK((sliding.head_size == 256 && sliding.key_value_heads == 8));
  const auto& whole = std::get<TransformerLayers>(model.parts[2].shape);
  CHECK((whole.count == 1 && whole.window == 0 && whole.head_size == 512));
  CHECK(whole.key_value_heads == 2);
  CHECK((whole.experts == 128 && whole.feed_forward == 704 && whole.shared_feed_forward == 2112));
}

// nvidia/NVIDIA-Nemotron-3-Super-120B-A12B: 120.6 billion parameters, of which a token uses 12.7.
TEST_CASE("experts that work at a latent width: Nemotron 3 Super") {
  const Model model = hybrid_of(R"({"model_type": "nemotron_h", "hidden_size": 4096,
 "num_hidden_layers": 88, "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128,
 "vocab_size": 131072, "max_position_embeddings": 262144, "hybrid_override_pattern":
 "MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEM*EMEMEMEME",
 "intermediate_size": 2688, "n_routed_experts": 512, "num_experts_per_tok": 22,
 "moe_intermediate_size": 2688, "moe_latent_size": 1024,
 "moe_shared_expert_intermediate_size": 5376, "n_shared_experts": 1, "mlp_hidden_act": "relu2",
 "ssm_state_size": 128, "conv_kernel": 4, "mamba_num_heads": 128, "mamba_head_dim": 64,
 "n_groups": 8, "expand": 2, "chunk_size": 128, "tie_word_embeddings": false})");
  CHECK(parameters(model) == Approx(120.6e9).epsilon(0.005));
  CHECK(active_parameters(model) == Approx(12.7e9).epsilon(0.01));
}

// huggingface.co/moonshotai/Kimi-Linear-48B-A3B-Base: 49 billion parameters in its checkpoint.
TEST_CASE("Kimi Delta Attention beside latent attention: Kimi Linear") {
  const auto config = [](const std::string& attending) {
    return R"({"model_type": "kimi_linear", "hidden_act": "silu", "q_lora_rank": null,
 "mla_use_nope": true, "moe_router_activation_func": "sigmoid", "num_expert_group": 1,
 "topk_group": 1, "moe_layer_freq": 1, "tie_word_embeddings": false, "hidden_size": 2304,
 "num_hidden_layers": 27, "vocab_size": 163840, "num_attention_heads": 32,
 "num_key_value_heads": 32, "head_dim": 72, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
 "qk_rope_head_dim": 64, "v_head_dim": 128, "num_experts": 256, "num_experts_per_token": 8,
 "num_shared_experts": 1, "moe_intermediate_size": 1024, "first_k_dense_replace": 1,
 "intermediate_size": 9216, "model_max_length": 1048576, "torch_dtype": "bfloat16",
 "linear_attn_config": {"full_attn_layers": )" +
           attending + R"(,
 "kda_layers": [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26],
 "head_dim": 128, "num_heads": 32, "short_conv_kernel_size": 4}})";
  };
  const Model model = hybrid_of(config("[4, 8, 12, 16, 20, 24, 27]"));
  const double h = 2304, inner = 32 * 128;
  // modeling_kimi.py: q, k, v and their convolutions, beta, two products of a row of 128 each, the
  // decays' A and bias, the norm of a head, and the product back.
  const double delta = h * (3 * inner + 32 + 2 * 128) + 2 * 128 * inner + 3 * inner * 4 + 32 +
                       inner + 128 + inner * h;
  const double latent = h * 32 * 192 + h * (512 + 64) + 512 + 512 * 32 * 256 + 32 * 128 * h;
  const double expert = 3 * h * 1024;
  const double common =
      20 * delta + 7 * latent + 3 * h * 9216 + 26 * (h * 256 + expert) + 2 * 163840 * h + 55 * h;
  CHECK_THAT(parameters(model), WithinRel(common + 26 * 256 * expert, 1e-5));
  CHECK_THAT(parameters(model), WithinRel(49.1e9, 0.01));
  CHECK_THAT(active_parameters(model), WithinRel(common + 26 * 8 * expert, 1e-4));
  CHECK_THAT(hybrid_refusal(config("[4, 8, 12, 16, 20, 24]")),
             ContainsText("layer 27 must stand in full_attn_layers or in kda_layers"));
}

// huggingface.co/LiquidAI/LFM2-1.2B (1.17 billion parameters) and LFM2-8B-A1B (8.3, 1.5 active).
TEST_CASE("short convolutions beside attention: LFM2") {
  const std::string common =
      R"("hidden_size": 2048, "num_attention_heads": 32, "num_key_value_heads": 8,
 "vocab_size": 65536, "conv_L_cache": 3, "conv_bias": false, "torch_dtype": "bfloat16",
 "max_position_embeddings": 128000, )";
  const Model small = hybrid_of("{\"model_type\": \"lfm2\", " + common + R"(
 "num_hidden_layers": 16, "block_ff_dim": 12288, "block_auto_adjust_ff_dim": true,
 "block_ffn_dim_multiplier": 1.0, "block_multiple_of": 256, "block_dim": 2048, "conv_dim": 2048,
 "num_heads": 32, "block_use_swiglu": true, "full_attn_idxs": [2, 5, 8, 10, 12, 14]})");
  const double h = 2048;
  const double convolution = 4 * h * h + 3 * h;
  const double attention = 2 * h * h + 2 * h * 512 + 2 * 64;
  CHECK(parameters(small) ==
        10 * convolution + 6 * attention + 16 * (3 * h * 8192 + 2 * h) + 65536 * h + h);
  CHECK(parameters(small) == 1'170'340'608);
  std::string types = R"(["conv")";
  for (int i = 1; i < 24; ++i)
    types += i == 2 || i == 6 || i == 10 || i == 14 || i == 18 || i == 21 ? R"(, "full_attention")"
                                                                          : R"(, "conv")";
  const Model mixture = hybrid_of("{\"model_type\": \"lfm2_moe\", " + common + R"(
 "num_hidden_layers": 24, "num_dense_layers": 2, "intermediate_size": 7168, "num_experts": 32,
 "num_experts_per_tok": 4, "moe_intermediate_size": 1792, "use_expert_bias": true,
 "layer_types": )" + types + "]}");
  const double expert = 3 * h * 1792;
  const double beside =
      18 * convolution + 6 * attention + 2 * 3 * h * 7168 + 22 * 32 * h + 49 * h + 65536 * h;
  CHECK(parameters(mixture) == beside + 22 * 32 * expert);
  CHECK_THAT(parameters(mixture), WithinRel(8.3e9, 0.01));
  CHECK_THAT(active_parameters(mixture), WithinRel(1.5e9, 0.05));
  // Forward: 2 of each weight a token, attention's causal half; the convolution moves bytes.
  const auto layers = layer_work(small, Plan{});
  const LayerWork* first = find_layer(layers, "state_space");
  REQUIRE(first != nullptr);
  CHECK_THAT(gigaflop(first->forward), WithinRel(2 * 4096 * 4 * h * h / 1e9, 1e-12));
  CHECK_THAT(hybrid_refusal("{\"model_type\": \"lfm2\", " + common +
                            R"("num_hidden_layers": 2, "intermediate_size": 64,
 "layer_types": ["conv", "mamba"]})"),
             ContainsText("layer_types: mamba sets a kind of layer"));
}

// The published card states 427 billion parameters.
TEST_CASE("a list says which layers have experts: MiniMax-M3") {
  std::string has = "[0, 0, 0";
  for (int i = 3; i < 60; ++i) has += ", 1";
  const auto config = [](const std::string& list) {
    return R"({"model_type": "minimax_m3_vl", "text_config": {"hidden_size": 6144, "head_dim": 128,
 "num_attention_heads": 64, "num_key_value_heads": 4, "vocab_size": 200064, "num_hidden_layers": 60,
 "intermediate_size": 3072, "dense_intermediate_size": 12288, "shared_intermediate_size": 3072,
 "num_local_experts": 128, "num_experts_per_tok": 4, "n_shared_experts": 1, "use_qk_norm": true,
 "use_gemma_norm": true, "max_position_embeddings": 1048576, "moe_layer_freq": )" +
           list + "}}";
  };
  const Model model = hybrid_of(config(has + "]"));
  const double h = 6144;
  const double expert = 3 * h * 3072;
  const double attention = 2 * h * 64 * 128 + 2 * h * 4 * 128 + 2 * 128;
  const double beside =
      60 * attention + 3 * 3 * h * 12288 + 57 * (h * 128 + expert) + 2 * 200064 * h + 121 * h;
  CHECK(parameters(model) == beside + 57 * 128 * expert);
  CHECK_THAT(parameters(model), WithinRel(427e9, 0.01));
  CHECK(active_parameters(model) == beside + 57 * 4 * expert);
  CHECK_THAT(hybrid_refusal(config("[0, 1]")),
             ContainsText("moe_layer_freq: names 2 layers of 60"));
}

// huggingface.co/zai-org/GLM-5: 744 billion parameters, 40 of them active.
TEST_CASE("sparse attention with an index: GLM-5") {
  const Model model = without_further_predictions(hybrid_of(R"({"model_type": "glm_moe_dsa",
 "hidden_size": 6144, "num_hidden_layers": 78, "num_attention_heads": 64, "num_key_value_heads": 64,
 "head_dim": 64, "q_lora_rank": 2048, "kv_lora_rank": 512, "qk_nope_head_dim": 192,
 "qk_rope_head_dim": 64, "v_head_dim": 256, "index_head_dim": 128, "index_n_heads": 32,
 "index_topk": 2048, "indexer_rope_interleave": true, "first_k_dense_replace": 3,
 "intermediate_size": 12288, "moe_intermediate_size": 2048, "n_routed_experts": 256,
 "n_shared_experts": 1, "num_experts_per_tok": 8, "n_group": 1, "topk_group": 1,
 "vocab_size": 154880, "num_nextn_predict_layers": 1, "max_position_embeddings": 202752,
 "dtype": "bfloat16"})"));
  const double h = 6144;
  const double index = 2048.0 * 32 * 128 + h * 128 + h * 32 + 2 * 128;
  const double latent = h * 2048 + 2048 + 2048.0 * 64 * 256 + h * (512 + 64) + 512 +
                        512.0 * 64 * (192 + 256) + 64.0 * 256 * h;
  const double expert = 3 * h * 2048;
  const double beside = 78 * (index + latent) + 3 * 3 * h * 12288 + 75 * (h * 256 + expert) +
                        2 * 154880 * h + 157 * h;
  CHECK(parameters(model) == beside + 75 * 256 * expert);
  CHECK_THAT(parameters(model), WithinRel(744e9, 0.01));
  CHECK(active_parameters(model) == beside + 75 * 8 * expert);
}
