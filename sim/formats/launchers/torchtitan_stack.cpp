#include <algorithm>

#include <fmt/format.h>

#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/launch_writer.hpp"

// torchtitan v0.2.2: TOML, or flags with the same keys. After it: functions of config_registry.py,
// which flags with the same keys override, and batches counted in tokens.

namespace tofn {
inline namespace formats {
namespace {

/// Reads schedule and chunks from the key that both versions have.
void read_titan_pipeline(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view key = "parallelism.pipeline_parallel_schedule";
  if (plan.pipeline_parallel_size == 1) return;
  if (values.is_stated("parallelism.pipeline_parallel_layers_per_stage"))
    values.fail("parallelism.pipeline_parallel_layers_per_stage",
                "stages of so many layers are not expressed: state none of it");
  values.choose(key, plan);
}

/// Reads whether layers are compiled; a file that compiles only its loss does not compile them.
void read_titan_compile(const LaunchValues& values, Plan& plan) {
  const bool has_model = values.text("compile.components").find("model") != std::string::npos;
  plan.compile = values.truth("compile.enable") && has_model ? Compile::On : Compile::Off;
}

/// Reads the sharding. If passes do not gather parameters again, gradients are sharded without a
/// pipeline and whole with one: torchtitan/models/llama3/infra/parallelize.py.
void read_titan_sharding(const LaunchValues& values, int each_node, LaunchedTraining& training) {
  constexpr std::string_view shards = "parallelism.data_parallel_shard_degree";
  constexpr std::string_view reshard = "parallelism.fsdp_reshard_after_forward";
  Plan& plan = training.plan;
  const long long replicate = values.whole("parallelism.data_parallel_replicate_degree");
  long long shard = values.whole(shards);
  if (shard < 0) shard = quotient_of(values, shards, plan.data_parallel_size, replicate);
  set_sharding(values, shards, replicate, shard, each_node, training);
  const std::string& policy = values.choice(reshard).word;
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  if (plan.sharded != Sharded::Parameters || policy == "always" ||
      (policy == "default" && !is_pipeline))
    return;
  plan.sharded = is_pipeline ? Sharded::Optimizer : Sharded::Gradients;
}

/// Renames the keys of former versions, whose pipelines had as many micro-batches as stages. This
/// is no longer the default, so they must state the size of a micro-batch.
LaunchFile titan_flags(const LaunchFile& file, const Launcher& torchtitan) {
  const bool has_size = has_key(file, "parallelism.pipeline_parallel_microbatch_size");
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == "experimental.pipeline_parallel_degree" && setting.value != "1" && !has_size)
      throw InputError(setting.place, setting.key,
                       "former pipelines state no samples of a micro-batch: state "
                       "parallelism.pipeline_parallel_microbatch_size");
  return renamed(file, torchtitan.renames);
}

void read_titan_batch(const LaunchValues& values, Plan& plan) {
  const long long local = values.whole("training.local_batch_size");
  constexpr std::string_view batch_key = "training.global_batch_size";
  const long long request = values.whole(batch_key);
  if (request < 1 && request != -1)
    values.fail(batch_key, fmt::format("must be at least 1, or -1 for one pass, is {}", request));
  const int repeats =
      request < 0 ? 1
                  : quotient_of(values, batch_key, request,
                                product_of(values, batch_key, {local, plan.data_parallel_size}));
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  const long long micro =
      is_pipeline ? values.whole("parallelism.pipeline_parallel_microbatch_size") : local;
  plan.micro_batch = static_cast<double>(micro);
  const int passes = quotient_of(values, "training.local_batch_size", local, micro);
  set_accumulation(values, "training.local_batch_size", 1LL * repeats * passes, plan);
}

void read_titan_numbers(const LaunchValues& values, Plan& plan) {
  const std::string converters = values.text("model.converters");
  if (converters.find("float8") != std::string::npos)
    plan.precision = Precision::Fp8;
  else if (!converters.empty())
    values.fail("model.converters", "only 'float8' is expressed");
  constexpr std::string_view option = "activation_checkpoint.selective_ac_option";
  if (plan.recompute == Recompute::Selective && values.text(option) != "op")
    values.fail(option, fmt::format("recomputation of every {} layers is not expressed: 'op' is",
                                    values.text(option)));
  if (values.truth("training.enable_cpu_offload"))
    values.fail("training.enable_cpu_offload", "parameters on the host are not expressed");
}

LaunchedTraining titan_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  values.to_plan(plan);
  const int accelerators = accelerators_of(
      values, "parallelism.data_parallel_shard_degree", size,
      {plan.tensor_parallel_size, plan.pipeline_parallel_size, plan.context_parallel_size,
       values.whole("parallelism.data_parallel_replicate_degree"),
       values.whole("parallelism.data_parallel_shard_degree")});
  training.accelerators_per_node = size.accelerators_per_node;
  plan.data_parallel_size =
      rest_of(values, "parallelism.tensor_parallel_degree", accelerators,
              {plan.tensor_parallel_size, plan.pipeline_parallel_size, plan.context_parallel_size});
  plan.sequence_parallel = plan.tensor_parallel_size > 1;  // always so in infra/parallelize.py
  const long long expert_tensor = values.whole("parallelism.expert_tensor_parallel_degree");
  if (expert_tensor != 1 && expert_tensor != plan.tensor_parallel_size)
    values.fail("parallelism.expert_tensor_parallel_degree",
                "only 1 or the tensor parallel degree is expressed");
  plan.whole_experts = expert_tensor == 1 && plan.expert_parallel_size > 1;
  read_titan_compile(values, plan);
  read_titan_pipeline(values, plan);
  read_titan_batch(values, plan);
  read_titan_sharding(values, size.accelerators_per_node, training);
  read_titan_numbers(values, plan);
  training.model = values.model();
  training.sequence_length = length_of(values, "training.seq_len");
  training.steps = values.whole("training.steps");
  return training;
}

void write_titan_sharding(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  int shard = plan.sharded == Sharded::Nothing ? 1 : plan.data_parallel_size;
  if (plan.shards_in_domain && plan.sharded != Sharded::Nothing)
    shard = std::max(1, training.accelerators_per_node /
                            (plan.tensor_parallel_size * plan.context_parallel_size));
  if (plan.shard_ranks && plan.sharded != Sharded::Nothing)
    shard = std::max(1, *plan.shard_ranks / plan.context_parallel_size);
  values.set("parallelism.data_parallel_shard_degree", shard);
  values.set("parallelism.data_parallel_replicate_degree",
             std::max(1, plan.data_parallel_size / shard));
  values.set("parallelism.fsdp_reshard_after_forward",
             plan.sharded == Sharded::Parameters ? "always" : "never");
}

void write_titan(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  values.set_model(training.model);
  const auto micro = static_cast<long long>(plan.micro_batch);
  values.set("training.local_batch_size", is_pipeline ? micro * plan.gradient_accumulation : micro);
  values.set("training.global_batch_size", static_cast<long long>(plan.global_batch()));
  if (is_pipeline) {
    values.set("parallelism.pipeline_parallel_microbatch_size", micro);
    constexpr std::string_view schedule = "parallelism.pipeline_parallel_schedule";
    if (const auto word = values.word_for(schedule, plan)) values.set(schedule, *word);
  }
  write_titan_sharding(training, values);
  if (training.sequence_length) values.set("training.seq_len", *training.sequence_length);
  if (training.steps) values.set("training.steps", *training.steps);
  if (plan.precision == Precision::Fp8) values.set("model.converters", "float8");
  if (plan.recompute == Recompute::Selective)
    values.set("activation_checkpoint.selective_ac_option", "op");
  values.set("parallelism.expert_tensor_parallel_degree",
             plan.whole_experts ? 1 : plan.tensor_parallel_size);
  values.set("compile.enable", plan.compile != Compile::Off);
}

/// Writes the TOML, under a comment with the command that runs it.
std::string write_titan_file(const LaunchedTraining& training,
                             std::span<const LaunchSetting> settings) {
  std::vector<std::string> front = launcher_words(training, "torchrun");
  for (const char* word : {"-m", "torchtitan.train", "--job.config_file", "tofn.toml"})
    front.emplace_back(word);
  std::vector<LaunchSetting> listed(settings.begin(), settings.end());
  for (LaunchSetting& setting : listed) setting.is_list = setting.key == "model.converters";
  return "# " + write_command(front, {}, OptionStyle::Dashed) + write_toml(listed);
}

/// Reads the samples of a replica's micro-batch, and the passes of a step, from tokens.
void read_registry_batch(const LaunchValues& values, LaunchedTraining& training) {
  constexpr std::string_view tokens_key = "training.num_tokens_per_microbatch_per_dp_rank";
  constexpr std::string_view step_key = "training.num_tokens_per_train_step";
  Plan& plan = training.plan;
  const int length = length_of(values, "training.max_context_length");
  const long long tokens = values.whole(tokens_key);
  constexpr std::string_view passes_key = "parallelism.num_pp_microbatches";
  const long long passes = plan.pipeline_parallel_size > 1 ? values.whole(passes_key) : 1;
  const long long step = values.whole(step_key);
  plan.micro_batch = quotient_of(values, tokens_key, tokens, length);
  const int repeats =
      step < 0
          ? 1
          : quotient_of(values, step_key, step,
                        product_of(values, step_key, {tokens, passes, plan.data_parallel_size}));
  set_accumulation(values, passes_key, product_of(values, passes_key, {passes, repeats}), plan);
  training.sequence_length = length;
}

LaunchedTraining registry_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training = training_on(values, size, "parallelism.data_parallel_shard_degree");
  Plan& plan = training.plan;
  plan.data_parallel_size =
      rest_of(values, "parallelism.tensor_parallel_degree", *size.accelerators,
              {plan.tensor_parallel_size, plan.pipeline_parallel_size, plan.context_parallel_size});
  plan.whole_experts = plan.expert_parallel_size > 1;
  read_titan_compile(values, plan);
  read_titan_pipeline(values, plan);
  read_registry_batch(values, training);
  read_titan_sharding(values, size.accelerators_per_node, training);
  const std::string converter = values.text("model_spec.converters.0");
  if (converter.starts_with("Float8") || converter.starts_with("MXFP8"))
    plan.precision = Precision::Fp8;
  else if (!converter.empty())
    values.fail("model_spec.converters.0", "only Float8 and MXFP8 converters are expressed");
  if (values.text("optimizer") != "default_adamw")
    values.fail("optimizer", "only default_adamw is expressed");
  training.model = values.model();
  training.steps = values.whole("training.steps");
  return training;
}

}  // namespace

const LaunchCode torchtitan_code{
    .launcher = "torchtitan",
    .to_training = titan_training,
    .as_flags = titan_flags,
    .from_training = write_titan,
    .write = write_titan_file,
};

const LaunchCode torchtitan_registry_code{.launcher = "torchtitan-registry",
                                          .to_training = registry_training};

}  // namespace formats
}  // namespace tofn
