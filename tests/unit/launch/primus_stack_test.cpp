#include <string>

#include "tests/unit/launch/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string primus(const std::string& model, const std::string& overrides,
                   const std::string& framework = "megatron") {
  return "work_group: ${PRIMUS_TEAM:amd}\nexp_name: pretrain\nmodules:\n  pre_trainer:\n    "
         "framework: " +
         framework + "\n    config: pre_trainer.yaml\n    model: " + model + "\n    overrides:\n" +
         overrides;
}

}  // namespace

TEST_CASE("Primus's YAML is flags of Megatron-LM over those of the model that it names") {
  const LaunchReading read = reading(primus("llama3.1_70B.yaml", R"(      stderr_sink_level: DEBUG
      train_iters: 50
      global_batch_size: 24
      micro_batch_size: 3
      seq_length: ${PRIMUS_SEQ_LENGTH:8192}
      lr_decay_iters: null
      use_torch_fsdp2: true
      overlap_grad_reduce: true
      sequence_parallel: 1
      recompute_granularity: full
      recompute_method: block
      recompute_num_layers: 80
      fp8: hybrid
      use_turbo_attention: true
)"),
                                     "primus.yaml", 8);
  const Plan& plan = read.training.plan;
  CHECK((plan.data_parallel_size == 8 && plan.micro_batch == 3));
  CHECK(plan.sharded == Sharded::Parameters);
  CHECK(plan.recompute == Recompute::Full);
  CHECK(plan.precision == Precision::Fp8);
  CHECK(plan.data_overlap);
  CHECK(read.training.sequence_length == 8192);
  CHECK(read.training.steps == 50);
  REQUIRE(read.training.own_model);
  CHECK(parameters(*read.training.own_model) == 70'553'706'496);
  REQUIRE(read.not_understood.size() == 1);
  CHECK(read.not_understood[0].key == "use-turbo-attention");
}

TEST_CASE("what Primus's files leave out is as its own files have it") {
  const LaunchReading read = reading(primus("mixtral_8x7B_v0.1.yaml",
                                            "      pipeline_model_parallel_size: 2\n"
                                            "      tensor_model_parallel_size: 2\n"),
                                     "primus.yaml", 64);
  const Plan& plan = read.training.plan;
  CHECK((plan.micro_batch == 2 && plan.gradient_accumulation == 4));  // 128 samples
  CHECK(plan.sequence_parallel);
  CHECK(plan.precision == Precision::Bf16);
  CHECK(read.training.sequence_length == 4096);
  CHECK(parameters(*read.training.own_model) == 46'702'792'704);
}

TEST_CASE("an override of Primus's goes above what its model says, and null takes it back") {
  const auto model_of = [](const std::string& overrides) {
    return *reading(primus("deepseek_v3.yaml", overrides), "primus.yaml", 64).training.own_model;
  };
  const auto last = [](const Model& model) {
    return std::get<TransformerLayers>(model.parts.back().shape);
  };
  const Model whole = model_of("      expert_model_parallel_size: 8\n");
  CHECK(last(whole).predicts_further);
  const Model model = model_of("      mtp_num_layers: null\n      multi_latent_attention: false\n");
  CHECK_FALSE(last(model).predicts_further);
  CHECK_FALSE(last(model).latent.has_value());
  CHECK(last(model).experts == 256);
}

TEST_CASE("Primus's files of torchtitan are torchtitan's keys") {
  const LaunchReading read = reading(primus("llama3.1_70B-fp8.yaml", R"(      sink_level: null
      training: {local_batch_size: 2, seq_len: 8192, steps: 50}
      activation_checkpoint: {mode: full}
      primus_turbo: {enable_primus_turbo: true}
)",
                                            "torchtitan"),
                                     "primus.yaml", 8);
  CHECK(read.training.model == "llama3-70b");
  CHECK(read.training.plan.precision == Precision::Fp8);
  CHECK(read.training.plan.micro_batch == 2);
  CHECK(read.training.plan.recompute == Recompute::Full);
  CHECK(read.not_understood.empty());
}

TEST_CASE("a model of Primus's that nobody knows is refused with those that are") {
  CHECK_THAT(refusal([] { reading(primus("llama3.1_71B.yaml", ""), "primus.yaml", 8); }),
             ContainsText("primus.yaml:7:12: modules.pre_trainer.model: unknown model of Primus "
                          "'llama3.1_71B', did you mean 'llama3.1_70B'?"));
  CHECK_THAT(refusal([] {
               reading(primus("llama9", "      training: {steps: 1}\n", "torchtitan"),
                       "primus.yaml", 8);
             }),
             ContainsText("unknown model of Primus 'llama9'"));
  CHECK_THAT(
      refusal([] { reading("modules: {pre_trainer: {framework: megatron}}\n", "primus.yaml", 8); }),
      ContainsText("modules.pre_trainer.model: is needed"));
}
