#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/config/hugging_face/hugging_face_key_effects.hpp"
#include "sim/config/load_model.hpp"
#include "sim/yaml/yaml_change.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

// Keys of a config.json that no reader knows: some set a size or a kind of layer and stop the
// answer, others change nothing.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Config of Llama 3.1 8B with one more key at its beginning.
YamlNode llama_with(std::string_view key, const std::string& value) {
  std::ifstream file(TOFN_SOURCE_DIR "/tests/unit/config/hugging_face/llama-3.1-8b.json");
  std::string text(std::istreambuf_iterator<char>(file), {});
  text.insert(1, fmt::format("\"{}\": {},", key, value));
  return YamlNode::parse(text, "llama-3.1-8b.json");
}

/// First line of the refusal from the key on; empty if the key is counted or noted.
std::string stop_of(std::string_view key, const std::string& value) {
  const std::string whole = refusal([&] { read_model(llama_with(key, value)); });
  if (whole == "accepted") return "";
  const std::string line = whole.substr(0, whole.find('\n'));
  return line.substr(line.find(std::string(key) + ": "));
}

/// Note about Llama 3.1 8B besides the one about the length of samples; empty if there is none.
std::string note_of(std::string_view key, const std::string& value) {
  const Model model = read_model(llama_with(key, value));
  return model.substitutions.size() == 1 ? "" : model.substitutions.back();
}

/// Lines below the first, with their indentation removed, as a file.
std::string begun_below(const std::string& refused) {
  std::string begun;
  std::istringstream lines(refused.substr(refused.find('\n') + 1));
  for (std::string line; std::getline(lines, line);) begun += line.substr(4) + '\n';
  return begun;
}

}  // namespace

TEST_CASE("a key that sets a size, or a kind of layer, and is not read stops the answer") {
  CHECK_THAT(stop_of("foo_latent_size", "1024"),
             ContainsText("foo_latent_size: 1024 sets a kind of layer, whose parameters and work "
                          "are not counted; a model file of what was read is begun below: save it "
                          "as llama-3.1-8b.yaml, add what it lacks of these, and give that file"));
  CHECK_THAT(stop_of("engram_dim", "64"), ContainsText("engram_dim: 64 sets a size"));
  for (const char* key :
       {"engram_rank", "num_zero_experts", "n_hash_layers", "index_topk", "index_n_heads",
        "memory_layers", "qk_rope_head_dim", "compress_ratio", "ngram_vocab_size", "d_state"}) {
    INFO(key);
    CHECK_FALSE(stop_of(key, "4").empty());
    CHECK(stop_of(key, "0").empty());
    CHECK(stop_of(key, "null").empty());
  }
  CHECK_THAT(stop_of("use_short_conv", "true"), ContainsText("true sets a kind of layer"));
  CHECK(stop_of("use_short_conv", "false").empty());
  CHECK_THAT(stop_of("compress_ratios", "[0, 4, 128]"), ContainsText("a list of 3 sets a size"));
  CHECK(stop_of("compress_ratios", "[0, 0]").empty());
  CHECK_THAT(stop_of("hybrid_override_pattern", "\"M*M*\""),
             ContainsText("M*M* sets a kind of layer"));
}

TEST_CASE("a map is refused by the keys within it that set sizes") {
  const std::string whole = refusal(
      [] { read_model(llama_with("sparse_config", R"({"kernel_size": 32, "use_nope": false})")); });
  CHECK_THAT(whole, ContainsText("sparse_config.kernel_size: 32 sets a size"));
  CHECK(stop_of("memory_config", R"({"path": "here", "seed": 3})").empty());
}

TEST_CASE("a kind of layer that is not known stops the answer") {
  std::string kinds = "[\"sliding_window_mixer\"";
  for (int i = 1; i < 32; ++i) kinds += ", \"full_attention\"";
  CHECK_THAT(refusal([&] { read_model(llama_with("layer_types", kinds + "]")); }),
             ContainsText("layer_types: sliding_window_mixer sets a kind of layer, whose"));
}

TEST_CASE("the file that a refusal begins is the model as it was read, without that key") {
  const std::string refused = refusal([] { read_model(llama_with("engram_dim", "64")); });
  const std::string begun = begun_below(refused);
  CHECK_THAT(begun, ContainsText("# Not counted: engram_dim.\n"));
  const Model model = load_model(TemporaryFile("llama.yaml", begun).path());
  CHECK(parameters(model) == 8'030'261'248);  // huggingface.co/meta-llama/Llama-3.1-8B
}

TEST_CASE("keys that change neither sizes nor work are silent, or noted") {
  for (const char* key :
       {"rope_local_base_freq", "sep_token_id", "A_initializer_range", "emb_dropout",
        "use_cache_kernel", "peft_version", "unsloth_fixed", "n_special", "num_beams", "mlp_type",
        "pooler_fc_size", "max_length", "router_z_loss_coef", "num_image_tokens"}) {
    INFO(key);
    CHECK(note_of(key, "3").empty());
  }
  CHECK(note_of("quantization", R"({"bits": 8, "group_size": 64})").empty());
  CHECK_THAT(note_of("memory_slots", "64"),
             ContainsText("not known are not counted: memory_slots"));
  CHECK_THAT(note_of("attention_sink_bias", "true"), ContainsText("attention_sink_bias"));
  CHECK_THAT(note_of("vision_tower_layers", "24"), ContainsText("without: vision_tower_layers"));
  for (const char* key : {"mtp_hybrid_override_pattern", "num_mtp_modules", "use_mtp",
                          "mtp_transformer_layers", "mtp_num_hidden_layers"}) {
    INFO(key);
    CHECK(note_of(key, key == std::string_view("use_mtp") ? "true" : "2") ==
          std::string("layers that predict further tokens are not counted: ") + key);
  }
}

// The chunks are Llama 4's attention_chunk_size of 8192.
TEST_CASE("chunks of attention are noted where a sample is longer than one") {
  const auto noted = [](const char* tokens) {
    const Model model = read_model(
        with_text(llama_with("attention_chunk_size", "8192"), "sequence_length", tokens));
    return !model.substitutions.empty();
  };
  CHECK_FALSE(noted("8192"));
  CHECK(noted("8193"));
}

TEST_CASE("keys of experts do nothing in a model that has none") {
  CHECK(stop_of("moe_intermediate_size", "1408").empty());
  CHECK(stop_of("num_experts_per_tok", "2").empty());
}

TEST_CASE("patterns of names") {
  CHECK(is_among("foo_rank", "bar *_rank"));
  CHECK_FALSE(is_among("foo_ranks", "bar *_rank"));
  CHECK(is_among("num_zero_experts", "num_*_experts"));
  CHECK(is_among("ab", "*a*b*"));
  CHECK_FALSE(is_among("ba", "*a*b*"));
  CHECK_FALSE(is_among("", "a b"));
}
