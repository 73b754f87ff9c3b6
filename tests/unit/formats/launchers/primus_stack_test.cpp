#include <string>

#include "tests/unit/formats/launchers/trainings.hpp"
#include "tests/unit/model/models.hpp"

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

TEST_CASE("a model of Primus's that nobody knows is told with those that are, and left to state") {
  const LaunchReading read =
      reading(primus("llama3.1_71B.yaml", "      global_batch_size: 64\n"), "primus.yaml", 8);
  CHECK(read.training.plan.gradient_accumulation == 4);
  CHECK((!read.training.own_model && read.training.model.empty()));
  REQUIRE(read.not_understood.size() == 1);
  CHECK(read.not_understood[0].key == "modules.pre_trainer.model");
  CHECK_THAT(read.not_understood[0].reason,
             ContainsText("unknown model of Primus 'llama3.1_71B', did you mean 'llama3.1_70B'?"));
  const LaunchReading titan =
      reading(primus("llama9", "      activation_checkpoint: {mode: full}\n", "torchtitan"),
              "primus.yaml", 8);
  CHECK(titan.training.model.empty());
  REQUIRE(titan.not_understood.size() == 1);
  CHECK_THAT(
      refusal([] { reading("modules: {pre_trainer: {framework: megatron}}\n", "primus.yaml", 8); }),
      ContainsText("modules.pre_trainer.model: is needed"));
}

TEST_CASE("Primus's models have the parameters that they are published with") {
  const auto count = [](const std::string& model) {
    return parameters(without_further_predictions(
        *reading(primus(model + ".yaml",
                        "      expert_model_parallel_size: 1\n"
                        "      global_batch_size: 64\n      micro_batch_size: 1\n"
                        "      make_vocab_size_divisible_by: 1\n"),
                 "primus.yaml", 64)
             .training.own_model));
  };
  CHECK_THAT(count("deepseek_v2"), WithinRel(235'741'434'880, 1e-4));
  CHECK_THAT(count("deepseek_v2_lite"), WithinRel(15'706'484'224, 1e-4));
  CHECK_THAT(count("deepseek_v3"), WithinRel(671'026'419'200, 1e-4));
  CHECK(count("llama2_7B") == 6'738'415'616);
  CHECK(count("llama2_70B") == 68'976'648'192);
  CHECK(count("llama3.2_1B") == 1'235'814'400);
  CHECK(count("llama3.1_405B") == 405'853'388'800);
  CHECK_THAT(count("mixtral_8x22B_v0.1"), WithinRel(140'620'634'112, 1e-4));
  CHECK(count("qwen2.5_7B") == 7'615'616'512);
  CHECK(count("qwen2.5_72B") == 72'706'203'648);
  CHECK(count("qwen3_8B") == 8'190'735'360);
  CHECK(count("qwen3_30B_A3B") == 30'532'122'624);
  CHECK_THAT(count("qwen3_235B_A22B"), WithinRel(235'093'634'560, 1e-4));
}
