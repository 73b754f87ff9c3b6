#include "tests/unit/formats/launchers/trainings.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

LaunchReading of_layers(const std::string& flags) {
  return reading(
      "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 1024 "
      "--num-attention-heads 16 --seq-length 2048 --micro-batch-size 1 " +
          flags + "\n",
      "a.sh");
}

}  // namespace

TEST_CASE("a vocabulary that the flags do not say is told") {
  const auto reported = [](const std::string& flags) {
    return of_layers(flags).training.own_model->substitutions;
  };
  // pretrain_gpt.py sets its tokenizer if no flag does.
  CHECK(reported("") ==
        std::vector<std::string>{
            "the vocabulary is taken to have 50257 entries, those of GPT2BPETokenizer, "
            "which pretrain_gpt.py sets, padded to 50304 as Megatron-LM does"});
  CHECK(reported("--vocab-size 1024").empty());
  CHECK(reported("--padded-vocab-size 1024").empty());
}

TEST_CASE(
    "a vocabulary is padded to a multiple on each tensor rank, unless a padded size is stated") {
  const auto entries = [](const LaunchReading& read) {
    return std::get<Vocabulary>(read.training.own_model->parts.front().shape).size;
  };
  // 393 x 128 = 50304, 197 x 256 = 50432, 25 x 2048 = 51200
  for (const auto& [flags, padded] : std::initializer_list<std::pair<std::string, int>>{
           {"--vocab-size 50257", 50304},
           {"--vocab-size 50304", 50304},
           {"--vocab-size 50257 --tensor-model-parallel-size 2", 50432},
           {"--vocab-size 50257 --make-vocab-size-divisible-by 2048", 51200},
           {"--vocab-size 50257 --make-vocab-size-divisible-by 1", 50257},
           {"--vocab-size 50257 --padded-vocab-size 50260", 50260}}) {
    INFO(flags);
    CHECK(entries(of_layers(flags)) == padded);
  }
  CHECK(of_layers("--vocab-size 50257").training.own_model->substitutions ==
        std::vector<std::string>{
            "the vocabulary's 50257 entries are padded to 50304 as Megatron-LM does"});
  CHECK_THAT(refusal([] { of_layers("--vocab-size 50257 --make-vocab-size-divisible-by 0"); }),
             ContainsText("make-vocab-size-divisible-by: must be at least 1, is 0"));
  const std::string nemo =
      "trainer:\n  num_nodes: 1\n  devices: 8\n  precision: bf16\nmodel:\n  num_layers: 4\n"
      "  hidden_size: 1024\n  num_attention_heads: 16\n  encoder_seq_length: 2048\n"
      "  micro_batch_size: 1\n  vocab_size: 50257\n  make_vocab_size_divisible_by: 2048\n";
  CHECK(entries(reading(nemo, "a.yaml")) == 51200);
}

TEST_CASE("layers that no flag tells are not written as others") {
  const auto plain = of_layers("--vocab-size 1024").training;
  const auto written = [&](void (*change)(TransformerLayers&)) {
    auto training = plain;
    change(std::get<TransformerLayers>(training.own_model->parts.back().shape));
    return write_training(training, launcher_named(configs, "megatron-lm")).text;
  };
  CHECK_THAT(written([](TransformerLayers&) {}), ContainsText("--num-layers 4"));
  for (const auto change : std::initializer_list<void (*)(TransformerLayers&)>{
           [](TransformerLayers& layers) { layers.norms = 4; },
           [](TransformerLayers& layers) { layers.window = 128; },
           [](TransformerLayers& layers) { layers.causal = false; },
           [](TransformerLayers& layers) { layers.lora_rank = 8; },
           [](TransformerLayers& layers) { layers.frozen = true; },
           [](TransformerLayers& layers) { layers.query_key_value_biases = false; }})
    CHECK_THAT(written(change), !ContainsText("--num-layers"));
}

TEST_CASE("a vocabulary is that of a tokenizer whose name says it, and others are named") {
  const auto reported = [](const std::string& flags) {
    return of_layers(flags).training.own_model->substitutions.front();
  };
  CHECK(
      reported("--tokenizer-type HuggingFaceTokenizer --tokenizer-model meta-llama/Meta-Llama-3-8B "
               "--make-vocab-size-divisible-by 256") ==
      "the vocabulary is taken to have 128256 entries, those of its tokenizer "
      "meta-llama/Meta-Llama-3-8B");
  CHECK(reported("--tokenizer-type GPT2BPETokenizer") ==
        "the vocabulary is taken to have 50257 entries, those of its tokenizer GPT2BPETokenizer, "
        "padded to 50304 as Megatron-LM does");
  const auto request = [](const std::string& tokenizer) {
    return "a.sh: vocab-size: is needed, since the size of its tokenizer" + tokenizer +
           " is not known here: add --vocab-size or --padded-vocab-size, or name the model (--from "
           "FILE MODEL CLUSTER)";
  };
  const std::string llama = "--tokenizer-type Llama2Tokenizer --tokenizer-model ";
  CHECK(refusal([&] { reported(llama + "/data/tokenizer.model"); }) ==
        request(" /data/tokenizer.model"));
  CHECK(refusal([&] { reported(llama + "$1"); }) == request(" Llama2Tokenizer"));
  CHECK(refusal([&] { reported("--tokenizer-type $TYPE"); }) == request(""));
  // A stated size counts even if the path of the tokenizer is unknown.
  CHECK(of_layers("--vocab-size 1024 " + llama + "$1").training.own_model->substitutions.empty());
  CHECK(of_layers("--vocab-size 1024 --tokenizer-type GPT2BPETokenizer")
            .training.own_model->substitutions.empty());
}

TEST_CASE("a vocabulary is not asked for where the caller names the model") {
  const LaunchFile file = read_launch_text(
      "torchrun --nproc_per_node 8 train.py --num-layers 4 --hidden-size 1024 "
      "--num-attention-heads 16 --seq-length 2048 --micro-batch-size 1\n",
      "a.sh");
  const Launcher& stack = launcher_named(configs, "megatron-lm");
  CHECK_THAT(refusal([&] { read_training(file, stack, {}); }),
             ContainsText("a.sh: vocab-size: is needed"));
  CHECK(read_training(file, stack, {.names_model = true}).training.plan.accelerators() == 8);
}

TEST_CASE("programs that train no GPT are refused") {
  const auto refused = [](const std::string& words) {
    return refusal([&] {
      reading("torchrun --nproc_per_node 8 " + words + " --micro-batch-size 1\n", "a.sh");
    });
  };
  CHECK(
      refused("pretrain_bert.py --num-layers 24 --hidden-size 1024") ==
      "a.sh:1:29: program: 'pretrain_bert.py' trains BERT, which is not read: pretrain_gpt.py is");
  CHECK(refused("pretrain_t5.py --encoder-num-layers 12") ==
        "a.sh:1:29: program: 'pretrain_t5.py' trains T5, which is not read: pretrain_gpt.py is");
  CHECK_THAT(refused("train.py --encoder-num-layers 12"),
             ContainsText("encoder-num-layers: encoders with decoders are not read"));
}

TEST_CASE("the former flags of recomputation are read") {
  const auto recompute = [](const std::string& flags) {
    return of_layers("--vocab-size 1024 " + flags).training.plan.recompute;
  };
  CHECK(recompute("--checkpoint-activations") == Recompute::Full);
  CHECK(recompute("--activations-checkpoint-method uniform") == Recompute::Full);
  CHECK_THAT(refusal([&] { recompute("--activations-checkpoint-method block"); }),
             ContainsText("activations-checkpoint-method: 'block', recomputation of 1 layers of a "
                          "stage, is not expressed: all are, or none"));
  const auto block = [&](const std::string& layers) {
    return recompute(
        "--recompute-granularity full --recompute-method block --recompute-num-layers " + layers);
  };
  CHECK(block("0") == Recompute::None);
  CHECK(block("80") == Recompute::Full);
}

TEST_CASE("a hybrid's layers are the letters of its pattern: Nemotron-H 8B") {
  const auto hybrid = [](const std::string& flags) {
    return *reading(
                "torchrun --nproc_per_node 8 pretrain_hybrid.py --hidden-size 4096 "
                "--ffn-hidden-size 21504 --num-attention-heads 32 --group-query-attention "
                "--num-query-groups 8 --kv-channels 128 --seq-length 8192 --vocab-size 131072 "
                "--position-embedding-type none --normalization RMSNorm --disable-bias-linear "
                "--untie-embeddings-and-output-weights --micro-batch-size 1 --bf16 " +
                    flags + "\n",
                "a.sh")
                .training.own_model;
  };
  const std::string letters = "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-";
  const Model read = hybrid("--hybrid-layer-pattern " + letters);
  const Model shipped = shipped_model("nemotron-h-8b");
  CHECK(parameters(read) == parameters(shipped));
  CHECK(model_flops(read) == model_flops(shipped));
  CHECK(read.parts.size() == shipped.parts.size());
  CHECK(parameters(hybrid("--num-layers 52 --hybrid-override-pattern " + letters)) ==
        parameters(shipped));
  const auto refused = [&](const std::string& flags) { return refusal([&] { hybrid(flags); }); };
  CHECK_THAT(refused("--hybrid-layer-pattern MX"),
             ContainsText("layer 2 is 'X': valid are M, *, -"));
  CHECK_THAT(refused("--num-layers 3 --hybrid-layer-pattern MM"),
             ContainsText("names 2 layers of 3"));
  CHECK_THAT(refused("--hybrid-layer-pattern M --mamba-num-groups 3"),
             ContainsText("mamba-num-groups: must divide the 128 heads"));
  CHECK_THAT(refused("--num-layers 3"), ContainsText("hybrid-layer-pattern: is needed"));
}

TEST_CASE("what a training needs beside plan and dimensions is told and stands in the script") {
  LaunchedTraining training = of_layers("--vocab-size 1024").training;
  const Launcher& megatron = launcher_named(configs, "megatron-lm");
  const LaunchWriting bare = write_training(training, megatron);
  for (const char* flag :
       {"--rotary-base", "--norm-epsilon", "--lr", "--tokenizer-type", "--data-path"}) {
    INFO(flag);
    int reported = 0;
    for (const std::string& each : bare.unstated) reported += each.find(flag) != std::string::npos;
    CHECK(reported == 1);
    const std::size_t place = bare.text.find(flag);
    REQUIRE(place != std::string::npos);
    CHECK(bare.text[bare.text.rfind('\n', place) + 1] == '#');  // a comment, not a flag
  }
  training.rotary_base = "1000000";
  training.norm_epsilon = "1e-06";
  const LaunchWriting known = write_training(training, megatron);
  CHECK_THAT(known.text, ContainsText("\n    --rotary-base 1000000"));
  CHECK_THAT(known.text, ContainsText("\n    --norm-epsilon 1e-06"));
  CHECK(known.unstated.size() == bare.unstated.size() - 2);
  CHECK(reading(known.text, "a.sh").training.plan.micro_batch == training.plan.micro_batch);
}
