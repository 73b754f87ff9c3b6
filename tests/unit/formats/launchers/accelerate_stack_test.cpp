#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// `accelerate launch` with these options, starting a program with a batch and these flags.
std::string accelerated(const std::string& options, const std::string& flags = "") {
  return "accelerate launch --num_processes 8 " + options +
         " train.py --per_device_train_batch_size 2 " + flags + "\n";
}

}  // namespace

TEST_CASE("accelerate's FSDP, with the batch of the program that it starts") {
  const std::string yaml =
      "mixed_precision: bf16\nnum_processes: 16\nfsdp_config:\n"
      "  fsdp_sharding_strategy: SHARD_GRAD_OP\n  fsdp_activation_checkpointing: true\n";
  const Plan read = plan(yaml + "per_device_train_batch_size: 2\n", "a.yaml");
  CHECK(read.data_parallel_size == 16);
  CHECK(read.sharded == Sharded::Gradients);
  CHECK(read.recompute == Recompute::Full);
  CHECK(refusal([&] { plan(yaml, "a.yaml"); }) ==
        "a.yaml: per_device_train_batch_size: the file does not say it, because the program "
        "does: state --micro-batch");
}

TEST_CASE("options of accelerate launch count like the keys of its YAML") {
  const Plan full = plan(
      accelerated("--mixed_precision bf16 --use_fsdp --fsdp_sharding_strategy FULL_SHARD"), "a.sh");
  CHECK(full.precision == Precision::Bf16);
  CHECK(full.sharded == Sharded::Parameters);
  const Plan gradients =
      plan(accelerated("--use_fsdp --fsdp_sharding_strategy SHARD_GRAD_OP"), "a.sh");
  CHECK(gradients.sharded == Sharded::Gradients);
  CHECK(gradients.precision == Precision::Fp32);
  CHECK(plan(accelerated("--multi_gpu"), "a.sh").sharded == Sharded::Nothing);
  CHECK(plan(accelerated(""), "a.sh").sharded == Sharded::Nothing);
  CHECK(refusal([] { plan(accelerated("--mixed_precision $MODE"), "a.sh"); }) ==
        "a.sh:1:55: mixed_precision: '$MODE' is not known (MODE is not set here): state it");
  CHECK(refusal([] { plan(accelerated("--use_megatron_lm"), "a.sh"); }) ==
        "a.sh:1:37: distributed_type: 'MEGATRON_LM' is not understood here: NO, MULTI_GPU, FSDP or "
        "DEEPSPEED");
  CHECK(reading(accelerated("--parallelism_config_tp_size 2"), "a.sh").not_understood.size() == 1);
}

TEST_CASE("accelerate's distributed_type says whether anything is sharded") {
  const auto read = [](const std::string& yaml) {
    return plan("num_processes: 8\nper_device_train_batch_size: 2\n" + yaml, "a.yaml");
  };
  CHECK(read("distributed_type: MULTI_GPU\n").sharded == Sharded::Nothing);
  CHECK(read("distributed_type: FSDP\n").sharded == Sharded::Parameters);
  const std::string second = "distributed_type: FSDP\nfsdp_config: {fsdp_version: 2, ";
  CHECK(read(second + "fsdp_reshard_after_forward: true}\n").sharded == Sharded::Parameters);
  CHECK(read(second + "fsdp_reshard_after_forward: false}\n").sharded == Sharded::Gradients);
  const std::string zero = "distributed_type: DEEPSPEED\ndeepspeed_config: {";
  const Plan first = read(zero + "zero_stage: 1, gradient_accumulation_steps: 4}\n");
  CHECK(first.sharded == Sharded::Optimizer);
  CHECK(first.gradient_accumulation == 4);
  CHECK_FALSE(first.data_overlap);
  CHECK(read(zero + "zero_stage: 3}\n").data_overlap);
  CHECK(read(zero + "offload_optimizer_device: cpu}\n").offloads_optimizer);
  CHECK(refusal([&] {
          read(zero + "zero_stage: 4}\n");
        }).ends_with("deepspeed_config.zero_stage: must be 0 to 3, got 4"));
  CHECK_THAT(refusal([&] { read(zero + "deepspeed_config_file: none-here.json}\n"); }),
             ContainsText("no file of that name here states zero_optimization: give it"));
}

TEST_CASE("the Trainer's own flags go above what accelerate is told") {
  CHECK(plan(accelerated("", "--bf16 True"), "a.sh").precision == Precision::Bf16);
  CHECK(plan(accelerated("--mixed_precision bf16", "--fp16 True"), "a.sh").precision ==
        Precision::Fp16);
  CHECK(plan(accelerated("", "--fsdp 'shard_grad_op auto_wrap'"), "a.sh").sharded ==
        Sharded::Gradients);
  CHECK(refusal([] {
          plan(accelerated("--use_deepspeed --gradient_accumulation_steps 4",
                           "--gradient_accumulation_steps 2"),
               "a.sh");
        })
            .ends_with("gradient_accumulation_steps: is 2 here, and 4 in "
                       "deepspeed_config.gradient_accumulation_steps"));
}

TEST_CASE("a program of the Trainer's that torchrun starts is read by its flags") {
  const std::string start =
      "torchrun --nnodes 2 --nproc_per_node 8 run_clm.py --per_device_train_batch_size 2 "
      "--gradient_accumulation_steps 4 --bf16 --learning_rate 1e-5 --max_steps 1000 ";
  const LaunchReading read =
      reading(start + "--fsdp \"full_shard auto_wrap\" --gradient_checkpointing true\n", "a.sh");
  CHECK(read.training.plan.data_parallel_size == 16);
  CHECK(read.training.plan.micro_batch == 2);
  CHECK(read.training.plan.gradient_accumulation == 4);
  CHECK(read.training.plan.sharded == Sharded::Parameters);
  CHECK(read.training.plan.recompute == Recompute::Full);
  CHECK(read.training.plan.precision == Precision::Bf16);
  CHECK(read.training.steps == 1000);
  CHECK(read.not_understood.empty());
  CHECK(plan(start + "\n", "a.sh").sharded == Sharded::Nothing);
  CHECK_FALSE(read.training.sequence_length);
  const LaunchReading blocks = reading(start + "--block_size 2048\n", "a.sh");
  CHECK(blocks.training.sequence_length == 2048);
  CHECK(blocks.not_understood.empty());
  const LaunchReading named = reading(
      "cat <<EOF > fsdp.json\n{\"backward_prefetch\": \"backward_pre\",\n"
      "\"activation_checkpointing\": true}\nEOF\n" +
          start + "--fsdp full_shard --fsdp_config fsdp.json\n",
      "a.sh");
  CHECK(named.training.plan.recompute == Recompute::Full);
  CHECK(named.not_understood.empty());
  const LaunchReading elsewhere =
      reading(start + "--fsdp full_shard --fsdp_config fsdp.json\n", "a.sh");
  REQUIRE(elsewhere.not_understood.size() == 1);
  CHECK(elsewhere.not_understood[0].reason == "this file is not here");
  const std::string json = "cat <<EOF > ds.json\n{\"zero_optimization\": {\"stage\": 2}}\nEOF\n";
  const Plan zero = plan(json + start + "--deepspeed ds.json --gradient_checkpointing\n", "a.sh");
  CHECK(zero.sharded == Sharded::Gradients);
  CHECK(zero.recompute == Recompute::Full);
}
