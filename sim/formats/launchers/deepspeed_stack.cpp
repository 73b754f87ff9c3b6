#include <algorithm>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/launch_writer.hpp"
#include "sim/formats/launchers/megatron_model.hpp"

// DeepSpeed's JSON; the flags of Megatron-DeepSpeed, which state what the JSON has no key for; and
// the flags of Hugging Face's Trainer, which fill in what its JSON leaves open.

namespace tofn {
inline namespace formats {
namespace {

/// Reads batch = micro-batch x accumulation x replicas, any one of which may be left out
/// (docs/_pages/config-json.md).
void read_deepspeed_batch(const LaunchValues& values, const LaunchSize& request, Plan& plan) {
  constexpr std::string_view batch_key = "train_batch_size";
  const long long batch = request.batch.value_or(agreed(values, batch_key, "global-batch-size"));
  constexpr std::string_view micro_key = "train_micro_batch_size_per_gpu";
  constexpr std::string_view repeats_key = "gradient_accumulation_steps";
  constexpr std::string_view trainers = "per_device_train_batch_size";
  long long micro = request.micro_batch.value_or(
      agreed(values, micro_key, values.is_stated(trainers) ? trainers : "micro-batch-size"));
  long long repeats = request.accumulation_beside_batch().value_or(values.whole(repeats_key));
  const int replicas = plan.data_parallel_size;
  if (batch == 0 && micro == 0) values.fail(batch_key, "neither it nor the micro-batch is stated");
  if (batch > 0 && micro == 0)
    micro = quotient_of(values, batch_key, batch,
                        product_of(values, batch_key, {std::max(1LL, repeats), replicas}));
  // The Trainer accumulates over one step if its flag does not state a number.
  if (repeats == 0 && batch == 0 && values.is_left_open(repeats_key) &&
      !values.is_stated(trainers) && !request.micro_batch)
    values.fail(repeats_key, "neither it nor the batch is stated");
  if (repeats == 0)
    repeats = batch == 0 ? 1
                         : quotient_of(values, batch_key, batch,
                                       product_of(values, batch_key, {micro, replicas}));
  if (batch > 0 && batch != product_of(values, batch_key, {micro, repeats, replicas}))
    values.fail(batch_key, fmt::format("{} is not {} samples x {} micro-batches x {} replicas",
                                       batch, micro, repeats, replicas));
  if (micro < 1) values.fail(micro_key, "must be at least 1");
  plan.micro_batch = static_cast<double>(micro);
  set_accumulation(values, repeats_key, repeats, plan);
}

void read_deepspeed_sharding(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view stage_key = "zero_optimization.stage";
  set_zero_stage(values, stage_key, agreed(values, stage_key, "zero-stage"), plan);
  constexpr std::string_view overlap = "zero_optimization.overlap_comm";
  if (values.is_stated(overlap)) plan.data_overlap = values.truth(overlap);
  plan.offloads_optimizer = values.text("zero_optimization.offload_optimizer.device") != "none";
  if (values.text("zero_optimization.offload_param.device") != "none")
    values.fail("zero_optimization.offload_param.device",
                "parameters on the host are not expressed");
  if (values.whole("zero_optimization.zero_hpz_partition_size") > 1)
    values.fail("zero_optimization.zero_hpz_partition_size", "second shards are not expressed");
  if (values.whole("zero_optimization.mics_shard_size") > 0)
    values.fail("zero_optimization.mics_shard_size", "shards of that many ranks are not expressed");
}

void read_deepspeed_numbers(const LaunchValues& values, const LaunchSize& request, Plan& plan) {
  const bool is_bf16 = values.truth("bf16.enabled") || values.truth("bf16");
  const bool is_fp16 = values.truth("fp16.enabled") || values.truth("fp16");
  if (is_bf16 && is_fp16) values.fail("fp16.enabled", "bf16 is on too: choose one");
  const bool is_decided = request.states_precision || is_bf16 || is_fp16 ||
                          values.is_stated("bf16") || values.is_stated("fp16");
  for (const std::string_view key : {"bf16.enabled", "fp16.enabled"})
    if (!is_decided && values.is_left_open(key))
      values.fail(key, "state true or false, or give the script with its --bf16 or --fp16");
  plan.precision = is_bf16 ? Precision::Bf16 : is_fp16 ? Precision::Fp16 : Precision::Fp32;
  values.choose("recompute-granularity", plan);
  if (values.truth("checkpoint-activations") || values.truth("gradient_checkpointing"))
    plan.recompute = Recompute::Full;
}

LaunchedTraining deepspeed_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training = training_on(values, size, "train_batch_size");
  Plan& plan = training.plan;
  if (values.whole("ds-sequence-parallel-size") > 1)
    values.fail("ds-sequence-parallel-size", "Ulysses' exchange of heads is not expressed");
  if (values.is_stated("num-layers-per-virtual-pipeline-stage"))
    values.fail("num-layers-per-virtual-pipeline-stage", "DeepSpeed's pipelines do not interleave");
  plan.data_parallel_size = rest_of(values, "tensor-model-parallel-size", *size.accelerators,
                                    {plan.tensor_parallel_size, plan.pipeline_parallel_size});
  read_deepspeed_batch(values, size, plan);
  read_deepspeed_sharding(values, plan);
  read_deepspeed_numbers(values, size, plan);
  training.has_other_program = !values.is_stated("num-layers") && !values.is_stated("seq-length");
  for (const std::string_view key : {"max_seq_length", "seq-length"})
    if (values.is_stated(key)) training.sequence_length = length_of(values, key);
  // Experts are in every second layer, and no list of layers here states that.
  if (training.sequence_length && values.whole("num-experts") <= 1)
    training.own_model = megatron_model(values, size.names_model);
  training.steps = values.count("train-iters");
  return training;
}

void write_deepspeed(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  if (plan.context_parallel_size > 1)
    throw InputError("it does not express context parallelism: state --cp 1");
  const auto micro = static_cast<long long>(plan.micro_batch);
  const auto batch = static_cast<long long>(plan.global_batch());
  values.set("train_batch_size", batch);
  values.set("train_micro_batch_size_per_gpu", micro);
  values.set("gradient_accumulation_steps", plan.gradient_accumulation);
  values.set("global-batch-size", batch);
  values.set("micro-batch-size", micro);
  values.set("zero_optimization.stage", static_cast<int>(plan.sharded));
  values.set("zero-stage", static_cast<int>(plan.sharded));
  values.set("zero_optimization.overlap_comm", plan.data_overlap);
  if (plan.offloads_optimizer) values.set("zero_optimization.offload_optimizer.device", "cpu");
  const Precision precision = plan.precision.value_or(Precision::Bf16);
  for (const auto& [json, flag_name, format] :
       {std::tuple{"bf16.enabled", "bf16", Precision::Bf16},
        std::tuple{"fp16.enabled", "fp16", Precision::Fp16}})
    if (precision == format) {
      values.set(json, true);
      values.set(flag_name, true);
    }
  if (plan.recompute != Recompute::None) values.set_word("recompute-granularity", plan);
  if (training.sequence_length) values.set("seq-length", *training.sequence_length);
  if (training.steps) values.set("train-iters", *training.steps);
}

bool is_flag_of_program(std::string_view key) {
  return key.find_first_of("_.") == std::string_view::npos;
}

/// Writes a script that writes the JSON and starts the program with the flags.
std::string write_deepspeed_script(const LaunchedTraining& training,
                                   std::span<const LaunchSetting> settings) {
  std::vector<LaunchSetting> json;
  std::vector<LaunchSetting> flags{{"deepspeed", "", {}},
                                   {"deepspeed_config", "ds_config.json", {}}};
  for (LaunchSetting setting : settings) {
    const bool is_flag = is_flag_of_program(setting.key);
    if (!is_flag) json.push_back(setting);
    if (!is_flag || setting.value == "false") continue;
    if (setting.value == "true") setting.value.clear();  // a switch
    flags.push_back(std::move(setting));
  }
  std::vector<std::string> front = launcher_words(training, "deepspeed");
  front.emplace_back("pretrain_gpt.py");
  return "#!/bin/bash\ncat <<'EOT' > ds_config.json\n" + write_json(json) + "EOT\n" +
         write_command(front, flags, OptionStyle::Dashed);
}

}  // namespace

const LaunchCode deepspeed_code{
    .launcher = "deepspeed",
    .to_training = deepspeed_training,
    .from_training = write_deepspeed,
    .write = write_deepspeed_script,
};

}  // namespace formats
}  // namespace tofn
