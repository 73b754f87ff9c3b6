#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("NeMo's YAML is Megatron-LM's flags under other names") {
  const LaunchFile file = read_launch_text(R"(trainer:
  num_nodes: 2
  devices: 8
  precision: bf16
  max_steps: 1000
model:
  mcore_gpt: true
  micro_batch_size: 1
  global_batch_size: 64
  tensor_model_parallel_size: 2
  pipeline_model_parallel_size: 2
  virtual_pipeline_model_parallel_size: 4
  encoder_seq_length: 4096
  tokenizer: {library: megatron, type: GPT2BPETokenizer}
  num_layers: 32
  hidden_size: 4096
  ffn_hidden_size: 11008
  num_attention_heads: 32
  num_query_groups: 8
  normalization: rmsnorm
  bias: false
  activation: fast-swiglu
  position_embedding_type: rope
  share_embeddings_and_output_weights: false
  activations_checkpoint_granularity: selective
  sequence_parallel: true
  fp8: true
  novel_key: 3
  optim: {name: distributed_fused_adam, overlap_grad_sync: true, grad_sync_dtype: bf16}
)",
                                           "nemo.yaml");
  const Launcher* stack = launcher_of(configs, file);
  REQUIRE(stack != nullptr);
  CHECK(stack->name == "nemo");
  const LaunchReading reading = read_training(file, *stack, {});
  const Plan& plan = reading.training.plan;
  CHECK(plan.tensor_parallel_size == 2);
  CHECK(plan.pipeline_parallel_size == 2);
  CHECK(plan.data_parallel_size == 4);
  CHECK(plan.chunks_per_stage == 4);
  CHECK(plan.gradient_accumulation == 16);
  CHECK(plan.recompute == Recompute::Selective);
  CHECK(plan.sharded == Sharded::Optimizer);
  CHECK((plan.data_overlap && plan.sequence_parallel));
  CHECK(plan.precision == Precision::Fp8);
  CHECK(plan.gradient_precision == Precision::Bf16);
  CHECK(reading.training.steps == 1000);
  REQUIRE(reading.training.own_model);
  const auto& layers = std::get<TransformerLayers>(reading.training.own_model->parts.back().shape);
  CHECK((layers.gated && layers.rotary && !layers.biases));
  CHECK(layers.key_value_heads == 8);
  REQUIRE(reading.not_understood.size() == 1);
  CHECK(reading.not_understood[0].key == "model.novel_key");
}

namespace {

LaunchReading of_nemo(const std::string& keys) {
  return reading(
      "trainer.num_nodes: 1\ntrainer.devices: 8\nmodel.micro_batch_size: 1\n"
      "model.num_layers: 2\nmodel.hidden_size: 1024\nmodel.ffn_hidden_size: 4096\n"
      "model.num_attention_heads: 16\nmodel.encoder_seq_length: 512\nmodel.vocab_size: 1024\n" +
          keys,
      "nemo.yaml");
}

bool is_gated(const std::string& activation) {
  const LaunchReading read = of_nemo("model.activation: " + activation + "\n");
  return std::get<TransformerLayers>(read.training.own_model->parts.back().shape).gated;
}

}  // namespace

TEST_CASE("NeMo's precisions, by each name that Lightning has for them") {
  const auto precision = [](const std::string& name) {
    return of_nemo("trainer.precision: " + name + "\n").training.plan.precision;
  };
  CHECK(precision("bf16-mixed") == Precision::Bf16);
  CHECK(precision("16") == Precision::Fp16);
  CHECK(precision("16-mixed") == Precision::Fp16);
  CHECK(precision("32") == Precision::Fp32);
  CHECK(precision("null") == Precision::Fp32);
  CHECK(refusal([&] { precision("64"); }) ==
        "nemo.yaml:10:20: trainer.precision: '64' is not understood here: bf16, bf16-mixed, 16, "
        "16-mixed, 32 or 32-true");
}

TEST_CASE("NeMo's gated activations have three products") {
  for (const char* gated : {"swiglu", "fast-swiglu", "geglu", "fast-geglu", "reglu", "fast-reglu"})
    CHECK(is_gated(gated));
  CHECK_FALSE(is_gated("gelu"));
  CHECK_FALSE(is_gated("squared-relu"));
  CHECK_THAT(refusal([] { is_gated("glu"); }), ContainsText("'glu' is not understood here"));
}

TEST_CASE("of a key of NeMo's that stands twice the later counts") {
  const LaunchReading read = of_nemo(
      "model.fp8: true\ntrainer.precision: bf16\nmodel.optim.name: distributed_fused_adam\n"
      "model.optim.grad_sync_dtype: bf16\n");
  CHECK(read.training.plan.precision == Precision::Fp8);
  const std::string script =
      "cat <<EOF > nemo.yaml\ntrainer: {num_nodes: 1, devices: 8, precision: bf16}\n"
      "model: {micro_batch_size: 1, fp8: true, optim: {name: distributed_fused_adam}}\nEOF\n"
      "python train.py nemo.yaml +trainer.precision=16 ++model.fp8=false "
      "model.optim.name=fused_adam\n";
  const Plan plan = tofn::test::plan(script, "a.sh");
  CHECK(plan.precision == Precision::Fp16);
  CHECK(plan.sharded == Sharded::Nothing);
}

TEST_CASE("a size of NeMo's that is not known is not taken as its standard") {
  CHECK_THAT(
      refusal([] { of_nemo("model.tensor_model_parallel_size: ${novel:TP}\n"); }),
      ContainsText("nemo.yaml:10:35: tensor-model-parallel-size: '${novel:TP}' is not known"));
}
