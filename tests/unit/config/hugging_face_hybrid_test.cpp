#include <string>

#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"
#include "tests/unit/model/models.hpp"

// Keys and dimensions as models of the hub have them.
using namespace tofn;
using namespace tofn::test;

namespace {

/// As nvidia/Nemotron-H-8B-Base-8K states it.
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
  CHECK_THAT(read.substitutions[0], ContainsText("assumed: a state-space scan runs like"));
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
        "samples are taken of 4096 tokens (--sequence-length): the file does not say");
}
