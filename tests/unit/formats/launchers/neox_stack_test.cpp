#include <string>

#include "tests/unit/formats/launchers/trainings.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

LaunchReading of_neox(const std::string& keys, int accelerators = 96) {
  return reading("{\n  \"seq-length\": 2048,\n  \"train-iters\": 150000,\n" + keys + "\n}\n",
                 "20B.yml", accelerators);
}

}  // namespace

TEST_CASE("GPT-NeoX's YAML is keys of DeepSpeed and layers of Megatron-LM: GPT-NeoX 20B") {
  // arXiv 2204.06745 with the settings of configs/20B.yml, from memory
  const LaunchReading read = of_neox(R"(  "pipe-parallel-size": 4, "model-parallel-size": 2,
  "num-layers": 44, "hidden-size": 6144, "num-attention-heads": 64,
  "max-position-embeddings": 2048, "norm": "layernorm", "pos-emb": "rotary", "rotary_pct": 0.25,
  "no-weight-tying": true, "gpt_j_residual": true, "output_layer_parallelism": "column",
  "attention-config": [[["global"], 44]], "padded-vocab-size": 50432,
  "optimizer": {"type": "Adam", "params": {"lr": 0.97e-4}},
  "zero_optimization": {"stage": 1, "contiguous_gradients": true, "overlap_comm": true},
  "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 32,
  "checkpoint-activations": true, "fp16": {"fp16": true, "enabled": true, "loss_scale": 0},
  "weight-decay": 0.01, "novel-key": 3)");
  const Plan& plan = read.training.plan;
  CHECK((plan.tensor_parallel_size == 2 && plan.pipeline_parallel_size == 4));
  CHECK((plan.data_parallel_size == 12 && plan.micro_batch == 4));
  CHECK(plan.global_batch() == 1536);  // 3.15 M tokens
  CHECK(plan.sharded == Sharded::Optimizer);
  CHECK(plan.recompute == Recompute::Full);
  CHECK(plan.precision == Precision::Fp16);
  CHECK(read.training.steps == 150000);
  REQUIRE(read.training.own_model);
  CHECK_THAT(parameters(*read.training.own_model), WithinRel(20'554'567'680, 1e-3));
  REQUIRE(read.not_understood.size() == 1);
  CHECK(read.not_understood[0].key == "novel_key");
}

TEST_CASE("GPT-NeoX's Llama: a gated MLP without biases, norms without their mean") {
  const LaunchReading read = of_neox(R"("pipe_parallel_size": 0, "model_parallel_size": 0,
  "num_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, "norm": "rmsnorm",
  "pos_emb": "rotary", "no_weight_tying": true, "mlp_type": "llama", "activation": "silu",
  "padded_vocab_size": 32000, "precision": "bfloat16", "train_batch_size": 8,
  "zero_optimization": {"stage": 3})",
                                     8);
  const Plan& plan = read.training.plan;
  CHECK((plan.tensor_parallel_size == 1 && plan.pipeline_parallel_size == 1));
  CHECK(plan.precision == Precision::Bf16);
  CHECK(plan.sharded == Sharded::Parameters);
  const auto& layers = std::get<TransformerLayers>(read.training.own_model->parts[1].shape);
  CHECK((layers.gated && layers.feed_forward == 11008));
  CHECK(parameters(*read.training.own_model) == 6'738'415'616);
}

TEST_CASE("GPT-NeoX's vocabulary is asked for by its own key, and one of another name is listed") {
  const LaunchFile file = read_launch_text(
      "pipe_parallel_size: 1\nnum_layers: 2\nhidden_size: 1024\nnum_attention_heads: 16\n"
      "seq_length: 512\ntrain_batch_size: 8\nvocab-size: 50257\n",
      "a.yml");
  const Launcher& neox = launcher_named(configs, "gpt-neox");
  CHECK(refusal([&] { read_training(file, neox, {.accelerators = 8}); }) ==
        "a.yml: padded_vocab_size: is needed, since the size of its tokenizer is not known here: "
        "add it, or name the model (--from FILE MODEL CLUSTER)");
  const std::vector<LaunchUnknown> unread = not_understood(file, neox);
  REQUIRE(unread.size() == 1);
  CHECK(unread[0].key == "vocab_size");
}
