#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "sim/config/load_model.hpp"
#include "sim/core/file.hpp"
#include "sim/yaml/hub_cache.hpp"
#include "sim/yaml/yaml_change.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/model/models.hpp"

// Files of huggingface.co as they are published, without keys that only name things. The files and
// published parameters of apertus, baichuan, bailing_moe, bamba, chatglm, dbrx, deepseek, dots1,
// ernie4_5_moe, exaone, falcon_h1, glm4, gptj, granitemoe, granitemoehybrid, internlm2, jamba,
// llava, mamba, minicpm, minimax_m2, mpt, nemotron, olmo, olmoe, phimoe, pixtral, qwen, qwen3_next,
// roberta, seed_oss and stablelm were written from memory. Their dimensions give these parameters,
// except for the differences stated below, which wrong dimensions would not.
using namespace tofn;
using namespace tofn::test;

namespace {

const std::string folder = TOFN_SOURCE_DIR "/tests/unit/config/hugging_face/";

std::string path_of(std::string_view name) { return folder + std::string(name) + ".json"; }
Model published_model(std::string_view name) { return load_model(path_of(name)); }

/// The model of this file with one key changed or added.
Model changed(std::string_view name, std::string_view key, const std::string& value) {
  return read_model(with_text(YamlNode::load(path_of(name)), key, value));
}

const TransformerLayers& hugging_face_layers_of(const Model& model) {
  for (auto part = model.parts.rbegin(); part != model.parts.rend(); ++part)
    if (const auto* layers = std::get_if<TransformerLayers>(&part->shape)) return *layers;
  FAIL("no layers");
  return std::get<TransformerLayers>(model.parts.front().shape);
}

bool says(const Model& model, std::string_view words) {
  for (const std::string& each : model.substitutions)
    if (each.find(words) != std::string::npos) return true;
  return false;
}

std::string refusal_of(const std::string& text) {
  const TemporaryFile file("config.json", text);
  const std::string whole = refusal([&] { load_model(file.path()); });
  const auto end = whole.find(".json");
  return end == std::string::npos ? whole : whole.substr(end + 5);
}

struct Published {
  std::string_view name;
  double parameters;
  double tolerance = 0;
};
/// Elements of the tensors of each checkpoint, according to its index or its model card.
constexpr std::array published{
    Published{"apertus-8b", 8'053'338'176, 1e-7},  // its activation function has parameters
    Published{"baichuan2-7b", 7'505'973'248},
    Published{"bert-base-uncased", 109'514'298},  // BertForMaskedLM
    Published{"bloom", 176'247'271'424, 1e-6},    // a norm of embeddings is not counted
    Published{"chatglm3-6b", 6'243'584'000},
    Published{"dbrx", 131'596'523'520},
    Published{"deepseek-moe-16b", 16'375'728'128},
    Published{"deepseek-v2-lite", 15'706'484'224},
    Published{"deepseek-v3", 671'026'419'200, 1e-6},       // biases of routers are not counted
    Published{"dots.llm1", 142'774'381'696, 1e-7},         // biases of routers are not counted
    Published{"ernie-4.5-21b-a3b", 21'825'437'888, 1e-7},  // biases of routers are not counted
    Published{"exaone-3.0-7.8b", 7'818'448'896},
    Published{"falcon-7b", 6'921'720'704, 1e-4},     // has one norm a layer; two are counted
    Published{"falcon-h1-0.5b", 521'411'104, 1e-3},  // one norm for both branches, no gated norm
    Published{"gemma-2-9b", 9'241'705'984},
    Published{"gemma-7b", 8'537'680'896},
    Published{"glm-4-9b-0414", 9'400'279'040},
    Published{"gpt-j-6b", 6'050'882'784, 1e-4},        // biases of its MLP are not counted
    Published{"gpt-neox-20b", 20'554'567'680},         // arXiv 2204.06745, section 2.1
    Published{"gpt-oss-120b", 116'829'156'672, 1e-6},  // attention sinks are not counted
    Published{"gpt2", 124'439'808},
    Published{"granite-3.0-1b-a400m", 1'334'628'352},
    Published{"granite-4.0-h-tiny", 6'939'037'248},
    Published{"granite-3.1-8b", 8'170'848'256},
    Published{"internlm2-7b", 7'737'708'544},
    Published{"jamba-v0.1", 51'570'323'328, 3e-3},  // Mamba is counted as Mamba-2
    Published{"ling-lite", 16'801'974'272},
    Published{"llama-3.1-405b", 405'853'388'800},
    Published{"llama-3.1-70b", 70'553'706'496},
    Published{"llama-3.1-8b", 8'030'261'248},
    Published{"llava-1.5-7b", 6'738'939'904},    // its Llama 2, with 64 more tokens
    Published{"mamba-130m", 129'135'360, 0.04},  // counted as Mamba-2
    Published{"minicpm-2b", 2'724'880'896},
    Published{"minimax-m2", 228'689'748'992, 1e-5},  // its norms of queries and keys are wider
    Published{"mistral-7b-v0.1", 7'241'732'096},
    Published{"mixtral-8x7b-v0.1", 46'702'792'704},
    Published{"mpt-7b", 6'649'286'656},
    Published{"nemotron-mini-4b", 4'190'509'056},
    Published{"olmo-7b", 6'888'095'744, 1e-4},         // its norms have no parameters
    Published{"olmoe-1b-7b", 6'919'161'856, 1e-4},     // its norms of queries and keys are wider
    Published{"olmo-2-1124-7b", 7'298'617'344, 1e-4},  // its norms of queries and keys are wider
    Published{"opt-6.7b", 6'658'473'984},
    Published{"phi-3-mini-4k", 3'821'079'552},
    Published{"phi-3.5-moe", 41'873'153'344, 1e-5},  // biases of attention's output are not counted
    Published{"pixtral-12b", 12'247'782'400},        // its Mistral Nemo
    Published{"qwen-7b", 7'721'324'544},
    Published{"qwen1.5-moe-a2.7b", 14'315'784'192, 1e-5},  // the shared expert's gate
    Published{"qwen2.5-7b", 7'615'616'512},
    Published{"qwen3-next-80b-a3b", 80e9, 0.01},  // its name states 80 billion
    Published{"qwen3-30b-a3b", 30'532'122'624},
    Published{"qwen3-8b", 8'190'735'360},
    Published{"roberta-base", 124'697'433},  // RobertaForMaskedLM
    Published{"seed-oss-36b", 36'151'104'512},
    Published{"stablelm-2-1.6b", 1'644'515'328},
    Published{"stablelm-3b-4e1t", 2'795'443'200}};

}  // namespace

TEST_CASE("config.json gives the published parameters") {
  for (const auto& [name, count, tolerance] : published) {
    INFO(name);
    const Model model = without_further_predictions(published_model(name));
    CHECK(std::abs(parameters(model) / count - 1) <= tolerance);
  }
}

TEST_CASE("MPT's layers are as wide as its ratio says") {
  const auto width = [](const std::string& ratio) {
    return hugging_face_layers_of(changed("mpt-7b", "expansion_ratio", ratio)).feed_forward;
  };
  CHECK(width("4") == 16384);
  CHECK(width("2.5") == 10240);
  CHECK_THAT(refusal([&] { width("1e9"); }), ContainsText("expansion_ratio 1e+09 makes no width"));
}

TEST_CASE("config.json gives the published active parameters") {
  CHECK_THAT(active_parameters(published_model("mixtral-8x7b-v0.1")), WithinRel(12.88e9, 1e-3));
  CHECK_THAT(active_parameters(published_model("qwen3-30b-a3b")), WithinRel(3.3e9, 0.02));
  CHECK_THAT(active_parameters(published_model("qwen1.5-moe-a2.7b")), WithinRel(2.7e9, 0.01));
  CHECK_THAT(active_parameters(published_model("dbrx")), WithinRel(36e9, 0.02));
  CHECK_THAT(active_parameters(published_model("dots.llm1")), WithinRel(14e9, 0.01));
  CHECK_THAT(active_parameters(published_model("jamba-v0.1")), WithinRel(12e9, 0.01));
  CHECK_THAT(active_parameters(published_model("granite-4.0-h-tiny")), WithinRel(1e9, 0.5));
  CHECK_THAT(active_parameters(without_further_predictions(published_model("deepseek-v3"))),
             WithinRel(37e9, 0.02));  // 37 B of 671 B
  CHECK_THAT(active_parameters(published_model("deepseek-v2-lite")), WithinRel(2.4e9, 0.12));
  CHECK_THAT(active_parameters(published_model("gpt-oss-120b")), WithinRel(5.71e9, 0.01));
}

TEST_CASE("a shipped model is that of its config.json") {
  const auto same_as = [](std::string_view shipped, std::string_view file) {
    const Model own = shipped_model(shipped);
    const Model read =
        changed(file, "sequence_length", std::to_string(static_cast<int>(own.sequence_length)));
    CHECK(parameters(read) == parameters(own));
    CHECK(active_parameters(read) == active_parameters(own));
    CHECK(model_flops(read).base() == model_flops(own).base());
  };
  same_as("llama3-8b", "llama-3.1-8b");
  same_as("llama3-405b", "llama-3.1-405b");
  same_as("mixtral-8x7b", "mixtral-8x7b-v0.1");
  same_as("deepseek-v3", "deepseek-v3");
  same_as("deepseek-moe-16b", "deepseek-moe-16b");
  same_as("deepseek-v2-lite", "deepseek-v2-lite");
  same_as("falcon-7b", "falcon-7b");
  same_as("gemma-7b", "gemma-7b");
  same_as("gemma2-9b", "gemma-2-9b");
  same_as("glm-4-9b", "glm-4-9b-0414");
  same_as("gpt-oss-120b", "gpt-oss-120b");
  same_as("minimax-m2", "minimax-m2");
  same_as("mistral-7b", "mistral-7b-v0.1");
  same_as("phi-3.5-moe", "phi-3.5-moe");
  same_as("qwen2.5-7b", "qwen2.5-7b");
  same_as("qwen3-30b-a3b", "qwen3-30b-a3b");
  same_as("qwen3-8b", "qwen3-8b");
  same_as("qwen3-next-80b-a3b", "qwen3-next-80b-a3b");
}

TEST_CASE("samples are as long as is said, else of 4096 tokens or of what the model takes") {
  const Model typical = published_model("llama-3.1-8b");
  CHECK(typical.sequence_length == 4096);
  CHECK(typical.substitutions ==
        std::vector<std::string>{
            "sequence length 4096, since the file gives only a maximum of 131072 "
            "(--sequence-length)"});
  CHECK(published_model("gpt2").sequence_length == 1024);
  const Model stated = find_model(TOFN_SOURCE_DIR "/configs", path_of("llama-3.1-8b"), 8192);
  CHECK(stated.sequence_length == 8192);
  CHECK(stated.substitutions.empty());
  CHECK(find_model(TOFN_SOURCE_DIR "/configs", "llama3-8b", 1024).sequence_length == 1024);
  CHECK_THAT(refusal([] { find_model(TOFN_SOURCE_DIR "/configs", path_of("gpt2"), 2048); }),
             ContainsText("1024 positions do not suffice for 2048 tokens"));
}

TEST_CASE("a stated length needs no maximum, unless positions are learned") {
  const auto without = [](const char* name, const std::string& limit) {
    std::string text = read_text_file(path_of(name));
    const std::size_t line = text.rfind('\n', text.find(limit));
    text.erase(line, text.find('\n', line + 1) - line);
    return YamlNode::load(TemporaryFile("config.json", text).path());
  };
  const YamlNode llama = without("llama-3.1-8b", "max_position_embeddings");
  CHECK_THAT(refusal([&] { read_model(llama); }), ContainsText("max_position_embeddings"));
  const Model stated = read_model(with_text(llama, "sequence_length", "8192"));
  CHECK(stated.sequence_length == 8192);
  CHECK(model_flops(stated) ==
        model_flops(read_model(
            with_text(YamlNode::load(path_of("llama-3.1-8b")), "sequence_length", "8192"))));
  const YamlNode learned = without("gpt2", "n_positions");
  CHECK_THAT(refusal([&] { read_model(with_text(learned, "sequence_length", "512")); }),
             ContainsText("missing key 'max_position_embeddings' or 'n_positions'"));
}

TEST_CASE("a text_config leaves out what its architecture has anyway, which is said") {
  const Model llava = published_model("llava-1.5-7b");
  CHECK(hugging_face_layers_of(llava).feed_forward == 11008);
  CHECK(says(llava, "hidden_size is 4096, as llama has it where the file says nothing"));
  CHECK(hugging_face_layers_of(published_model("pixtral-12b")).heads == 32);
  // A file of the text model alone must state it.
  CHECK_THAT(refusal_of(R"({"model_type": "llama", "hidden_size": 4096})"),
             ContainsText("missing key 'num_hidden_layers' or 'n_layer'"));
}

TEST_CASE("two rows of a table of positions may be no token's") {
  CHECK(published_model("roberta-base").sequence_length == 512);
  CHECK(std::get<Vocabulary>(published_model("roberta-base").parts.front().shape).positions == 514);
}

TEST_CASE("what is of an architecture is read") {
  const Model gemma = published_model("gemma-2-9b");
  CHECK(hugging_face_layers_of(gemma).norms == 4);
  CHECK(hugging_face_layers_of(gemma).window == 4096);
  CHECK(hugging_face_layers_of(gemma).window_share == 0.5);
  CHECK(hugging_face_layers_of(gemma).head_size == 256);
  CHECK(hugging_face_layers_of(published_model("gpt-oss-120b")).window_share == 0.5);
  CHECK(hugging_face_layers_of(published_model("gpt-oss-120b")).biases);
  CHECK_FALSE(hugging_face_layers_of(published_model("gpt-oss-120b")).norm_biases.value());
  CHECK(hugging_face_layers_of(published_model("qwen2.5-7b")).window == 0);
  CHECK(hugging_face_layers_of(published_model("mistral-7b-v0.1")).window_share == 1);
  CHECK(hugging_face_layers_of(published_model("falcon-7b")).key_value_heads == 1);
  CHECK_FALSE(hugging_face_layers_of(published_model("bert-base-uncased")).causal);
  CHECK(hugging_face_layers_of(published_model("gpt2")).dropout);
  const Model deepseek = published_model("deepseek-v3");
  CHECK(std::get<TransformerLayers>(deepseek.parts[1].shape).count == 3);
  CHECK(hugging_face_layers_of(deepseek).shared_feed_forward == 2048);
  CHECK(published_model("gpt-neox-20b").precision == Precision::Fp16);
  // Qwen3-Coder-480B-A35B-Instruct states with a 0 that it has no shared expert.
  CHECK(parameters(changed("qwen3-30b-a3b", "shared_expert_intermediate_size", "0")) ==
        parameters(published_model("qwen3-30b-a3b")));
}

TEST_CASE("what is not expressed, or not known, is said") {
  const Model deepseek = published_model("deepseek-v3");
  CHECK(says(deepseek, "multi-token prediction is counted, as it trains"));
  CHECK(says(deepseek, "needs --precision fp8"));
  CHECK(says(published_model("gemma-2-9b"), "the file says that weights are stored in float32"));
  CHECK(says(published_model("gemma-2-9b"), "attn_logit_softcapping is not counted"));
  CHECK(says(published_model("gpt-neox-20b"), "attention and the MLP beside it"));
  for (const auto& [name, count, tolerance] : published) {
    INFO(name);
    CHECK_FALSE(says(published_model(name), "not known"));
  }
  CHECK(says(changed("llama-3.1-8b", "memory_slots", "64"),
             "keys that are not known are not counted: memory_slots"));
  CHECK(
      says(changed("llama-3.1-8b", "gradient_checkpointing", "true"),
           "gradient_checkpointing is a training's setting and not read: state --recompute full"));
  CHECK_FALSE(says(changed("llama-3.1-8b", "gradient_checkpointing", "false"), "checkpointing"));
  CHECK(says(changed("llama-3.1-8b", "attention_bias", "true"), "the bias of attention's output"));
  CHECK(says(changed("qwen1.5-moe-a2.7b", "decoder_sparse_step", "2"),
             "the 12 layers without experts are taken to come first"));
}

TEST_CASE("a bad config.json is refused where it is wrong") {
  CHECK_THAT(refusal_of("{\"model_type\": \"lama\"}"),
             ContainsText(":1:16: model_type: architecture 'lama' is none of the "));
  CHECK_THAT(refusal_of("{\"model_type\": \"lama\"}"),
             ContainsText(" known (nearest: llama; `tofn list architectures`); a model file of "
                          "what was read is begun below: save it as lama.yaml, put a number for "
                          "each ?"));
  CHECK(refusal_of("{\n  \"model_type\": \"llama\"\n}") ==
        ":1:1: missing key 'num_hidden_layers' or 'n_layer' or 'n_layers' or 'num_layers'");
  CHECK_THAT(
      refusal([] { changed("llama-3.1-8b", "hidden_size", "0"); }),
      ContainsText("llama-3.1-8b.json:10:18: hidden_size: must be from 1 to 10000000, got 0"));
  CHECK_THAT(refusal([] { changed("llama-3.1-8b", "num_key_value_heads", "5"); }),
             ContainsText("5 heads of keys and values do not divide 32 heads"));
  CHECK_THAT(refusal([] { changed("gpt2", "hidden_size", "1024"); }),
             ContainsText("n_embd: differs from hidden_size, which is 1024"));
  CHECK_THAT(refusal([] { changed("mixtral-8x7b-v0.1", "num_experts_per_tok", "9"); }),
             ContainsText("9 experts a token of 8"));
  CHECK_THAT(refusal([] { changed("gpt-oss-120b", "num_hidden_layers", "35"); }),
             ContainsText("layer_types: names 36 layers of 35"));
}

TEST_CASE("a multimodal file's text is read from its text_config") {
  const TemporaryFile file(
      "config.json",
      R"({"model_type": "gemma3", "torch_dtype": "bfloat16", "vision_config": {"hidden_size": 1152},
          "text_config": {"model_type": "gemma3_text", "head_dim": 128, "hidden_size": 5376,
          "intermediate_size": 21504, "num_attention_heads": 32, "num_hidden_layers": 62,
          "num_key_value_heads": 16, "sliding_window": 1024, "vocab_size": 262208}})");
  const Model model = load_model(file.path());
  CHECK(parameters(model) == 27'009'346'304);  // arXiv 2503.19786, table 1: 25.6 B and 1.416 B
  CHECK(hugging_face_layers_of(model).window_share == 52.0 / 62);
  CHECK(says(model, "what sees images is left out"));
}

TEST_CASE("a name of the hub that is not here is told where its config.json is") {
  CHECK_THAT(refusal([] { find_model(TOFN_SOURCE_DIR "/configs", "Qwen/Qwen3-32B"); }),
             ContainsText("hf download Qwen/Qwen3-32B config.json"));
}

TEST_CASE("other names of layers that are known", "[config]") {
  const auto parameters_of = [](const std::string& json) {
    return parameters(load_model(TemporaryFile("config.json", json).path()));
  };
  // github.com/huggingface/transformers, models/gpt_bigcode: keys and values have one head.
  CHECK_THAT(parameters_of(R"({"model_type": "gpt_bigcode", "n_embd": 2048, "n_head": 16,
      "n_inner": 8192, "n_layer": 24, "n_positions": 2048, "vocab_size": 49280,
      "multi_query": true})"),
             WithinRel(1.1e9, 0.03));  // huggingface.co/bigcode/santacoder
  // huggingface.co/zai-org/GLM-4.7-Flash: 30B-A3B
  CHECK_THAT(parameters_of(R"({"model_type": "glm4_moe_lite", "num_hidden_layers": 47,
      "hidden_size": 2048, "num_attention_heads": 20, "num_key_value_heads": 20, "head_dim": 64,
      "intermediate_size": 10240, "vocab_size": 154880, "max_position_embeddings": 202752,
      "n_routed_experts": 64, "n_shared_experts": 1, "num_experts_per_tok": 4,
      "moe_intermediate_size": 1536, "first_k_dense_replace": 1, "kv_lora_rank": 512,
      "q_lora_rank": 768, "qk_nope_head_dim": 192, "qk_rope_head_dim": 64, "v_head_dim": 256})"),
             WithinRel(30e9, 0.005));
  // huggingface.co/mistralai/Ministral-3-3B-2512: a text model of 3.4B
  CHECK_THAT(parameters_of(R"({"model_type": "ministral3", "vision_config": {}, "text_config": {
      "model_type": "ministral3", "head_dim": 128, "hidden_size": 3072,
      "intermediate_size": 9216, "max_position_embeddings": 262144, "num_attention_heads": 32,
      "num_hidden_layers": 26, "num_key_value_heads": 8, "sliding_window": null,
      "tie_word_embeddings": true, "vocab_size": 131072}})"),
             WithinRel(3.4e9, 0.01));
}

TEST_CASE("a type that nobody knows begins a file of its own", "[config]") {
  const TemporaryFile file("config.json", R"({"model_type": "newest", "hidden_size": 2048,
      "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2,
      "head_dim": 256, "moe_intermediate_size": 512, "intermediate_size": 5120,
      "num_experts": 512, "num_experts_per_tok": 10, "vocab_size": 151936,
      "linear_num_key_heads": 16})");
  const std::string stated = refusal([&] { load_model(file.path()); });
  std::string begun;
  std::istringstream lines(stated.substr(stated.find('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    REQUIRE(line.starts_with("    "));
    begun += line.substr(4) + '\n';
  }
  CHECK_THAT(begun, ContainsText("nothing is made of intermediate_size and linear_num_key_heads"));
  CHECK(begun.find(": ?") == begun.npos);
  const Model model = load_model(TemporaryFile("newest.yaml", begun).path());
  CHECK(hugging_face_layers_of(model).experts == 512);
  CHECK(hugging_face_layers_of(model).head_size == 256);
}

TEST_CASE("a model that was downloaded goes by its name of the hub", "[config]") {
  const TemporaryFolder cache;
  const auto repository = cache.path() / "models--Qwen--Qwen3-8B";
  const auto add = [&](const char* commit) {
    std::filesystem::create_directories(repository / "snapshots" / commit);
    std::filesystem::copy_file(TOFN_SOURCE_DIR "/tests/unit/config/hugging_face/qwen3-8b.json",
                               repository / "snapshots" / commit / "config.json");
  };
  CHECK_FALSE(cached_config(cache.path(), "Qwen/Qwen3-8B"));
  add("0123");
  REQUIRE(cached_config(cache.path(), "Qwen/Qwen3-8B"));
  CHECK(load_model(*cached_config(cache.path(), "Qwen/Qwen3-8B")).name == "Qwen3-8B");
  add("4567");
  CHECK_FALSE(cached_config(cache.path(), "Qwen/Qwen3-8B"));  // either could be meant
  std::filesystem::create_directories(repository / "refs");
  std::ofstream(repository / "refs" / "main") << "4567";
  CHECK(cached_config(cache.path(), "Qwen/Qwen3-8B")->parent_path().filename() == "4567");
  std::ofstream(repository / "refs" / "main") << "89ab";  // a commit without files
  CHECK_FALSE(cached_config(cache.path(), "Qwen/Qwen3-8B"));
  std::filesystem::remove_all(repository / "snapshots" / "0123");
  CHECK(cached_config(cache.path(), "Qwen/Qwen3-8B")->parent_path().filename() == "4567");
}

TEST_CASE("the cache of downloads is where the hub's library has it", "[config]") {
  const auto folder = [](std::map<std::string, std::string> set) {
    return hub_cache_folder([set](const char* name) {
             const auto found = set.find(name);
             return found == set.end() ? std::nullopt : std::optional(found->second);
           })
        .string();
  };
  CHECK(folder({{"HOME", "/home/a"}}) == "/home/a/.cache/huggingface/hub");
  CHECK(folder({{"HOME", "/home/a"}, {"XDG_CACHE_HOME", "/x"}}) == "/x/huggingface/hub");
  CHECK(folder({{"HF_HOME", "~/hf"}, {"HOME", "/home/a"}}) == "/home/a/hf/hub");
  CHECK(folder({{"HF_HOME", "/h"}, {"HUGGINGFACE_HUB_CACHE", "/old"}}) == "/old");
  CHECK(folder({{"HF_HUB_CACHE", "/new"}, {"HUGGINGFACE_HUB_CACHE", "/old"}}) == "/new");
}
