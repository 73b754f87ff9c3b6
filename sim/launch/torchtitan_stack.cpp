#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/launch/launch_names.hpp"
#include "sim/launch/launch_stack.hpp"
#include "sim/launch/launch_writer.hpp"
#include "sim/launch/torchtitan_names.hpp"

// torchtitan v0.2.2, whose configuration is TOML, with the same keys as flags: a row a key.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view titan_config = "torchtitan/config/job_config.py";
constexpr LaunchKind whole = LaunchKind::Whole;
constexpr LaunchKind truth = LaunchKind::Truth;
constexpr LaunchKind words = LaunchKind::Text;

constexpr std::array torchtitan_keys{
    LaunchKey{"model.name", words, "llama3", titan_config},
    LaunchKey{"model.flavor", words, "debugmodel", titan_config},
    LaunchKey{"model.converters", words, "", titan_config},
    LaunchKey{"optimizer.name", words, "AdamW", titan_config},
    LaunchKey{"training.local_batch_size", whole, "8", titan_config},
    LaunchKey{"training.global_batch_size", whole, "-1", titan_config},
    LaunchKey{"training.seq_len", whole, "2048", titan_config},
    LaunchKey{"training.steps", whole, "10000", titan_config},
    LaunchKey{"training.enable_cpu_offload", truth, "false", titan_config},
    LaunchKey{"training.dtype", words, "float32", titan_config},
    LaunchKey{"training.mixed_precision_param", words, "bfloat16", titan_config},
    LaunchKey{"training.mixed_precision_reduce", words, "float32", titan_config},
    LaunchKey{"parallelism.data_parallel_replicate_degree", whole, "1", titan_config},
    LaunchKey{"parallelism.data_parallel_shard_degree", whole, "-1", titan_config},
    LaunchKey{"parallelism.fsdp_reshard_after_forward", words, "default", titan_config},
    LaunchKey{"parallelism.tensor_parallel_degree", whole, "1", titan_config,
              &Plan::tensor_parallel_size},
    LaunchKey{"parallelism.enable_async_tensor_parallel", truth, "false", titan_config,
              &Plan::tensor_overlap},
    LaunchKey{"parallelism.pipeline_parallel_degree", whole, "1", titan_config,
              &Plan::pipeline_parallel_size},
    LaunchKey{"parallelism.pipeline_parallel_layers_per_stage", words, "", titan_config},
    LaunchKey{"parallelism.pipeline_parallel_schedule", words, "1F1B", titan_config},
    LaunchKey{"parallelism.pipeline_parallel_microbatch_size", whole, "1", titan_config},
    LaunchKey{"parallelism.context_parallel_degree", whole, "1", titan_config,
              &Plan::context_parallel_size},
    LaunchKey{"parallelism.context_parallel_rotate_method", words, "allgather", titan_config},
    LaunchKey{"parallelism.expert_parallel_degree", whole, "1", titan_config,
              &Plan::expert_parallel_size},
    LaunchKey{"parallelism.expert_tensor_parallel_degree", whole, "1", titan_config},
    LaunchKey{"parallelism.expert_parallel_comm_backend", words, "standard", titan_config},
    LaunchKey{"activation_checkpoint.mode", words, "selective", titan_config},
    LaunchKey{"activation_checkpoint.selective_ac_option", words, "2", titan_config},
    LaunchKey{"compile.enable", truth, "false", titan_config},
    LaunchKey{"compile.components", words, "model loss", titan_config},
};

/// What keys were called in torchtitan/config_manager.py of 2024.
constexpr auto titan_former_names = std::to_array<LaunchName>(
    {{"training.batch_size", "training.local_batch_size"},
     {"training.compile", "compile.enable"},
     {"training.data_parallel_degree", "parallelism.data_parallel_shard_degree"},
     {"training.data_parallel_shard_degree", "parallelism.data_parallel_shard_degree"},
     {"training.data_parallel_replicate_degree", "parallelism.data_parallel_replicate_degree"},
     {"training.fsdp_reshard_after_forward", "parallelism.fsdp_reshard_after_forward"},
     {"training.tensor_parallel_degree", "parallelism.tensor_parallel_degree"},
     {"experimental.enable_async_tensor_parallel", "parallelism.enable_async_tensor_parallel"},
     {"experimental.pipeline_parallel_degree", "parallelism.pipeline_parallel_degree"},
     {"experimental.pipeline_parallel_schedule", "parallelism.pipeline_parallel_schedule"},
     {"experimental.context_parallel_degree", "parallelism.context_parallel_degree"},
     {"experimental.context_parallel_rotate_method", "parallelism.context_parallel_rotate_method"},
     {"float8.enable_float8_linear", "model.converters", "true", "float8"},
     {"float8.enable_float8_linear", "model.converters", "false", "null"}});

/// A former pipeline took its batch in as many micro-batches as stages, which is no standard now.
LaunchFile titan_flags(const LaunchFile& file) {
  const bool has_size = has_key(file, "parallelism.pipeline_parallel_microbatch_size");
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == "experimental.pipeline_parallel_degree" && setting.value != "1" && !has_size)
      throw InputError(setting.place, setting.key,
                       "former pipelines state no samples of a micro-batch: state "
                       "parallelism.pipeline_parallel_microbatch_size");
  return renamed(file, titan_former_names);
}

/// Logs, data, learning rates, checkpoints, and the compiler's backend.
constexpr auto torchtitan_passed_over = std::to_array<std::string_view>({"job.",
                                                                         "profiling.",
                                                                         "metrics.",
                                                                         "lr_scheduler.",
                                                                         "checkpoint.",
                                                                         "validation.",
                                                                         "fault_tolerance.",
                                                                         "comm.",
                                                                         "debug.",
                                                                         "optimizer.lr",
                                                                         "optimizer.eps",
                                                                         "optimizer.beta",
                                                                         "optimizer.we",
                                                                         "optimizer.imp",
                                                                         "training.dataset",
                                                                         "training.max_",
                                                                         "training.gc_",
                                                                         "model.hf_",
                                                                         "model.tokenizer",
                                                                         "model.print",
                                                                         "experimental.custom_",
                                                                         "compile.backend",
                                                                         "quantize."});

/// Flavours of torchtitan/models/NAME/__init__.py that configs/models has.
struct TitanModel {
  std::string_view name;
  std::string_view flavor;
  std::string_view model;
};
constexpr std::array<TitanModel, 5> titan_models{{{"llama3", "8B", "llama3-8b"},
                                                  {"llama3", "70B", "llama3-70b"},
                                                  {"llama3", "405B", "llama3-405b"},
                                                  {"deepseek_v3", "671B", "deepseek-v3"},
                                                  {"gpt_oss", "20b", "gpt-oss-20b"}}};

void read_titan_batch(const LaunchValues& values, Plan& plan) {
  const long long local = values.whole("training.local_batch_size");
  constexpr std::string_view batch_key = "training.global_batch_size";
  const long long asked = values.whole(batch_key);
  if (asked < 1 && asked != -1)
    values.fail(batch_key, fmt::format("must be at least 1, or -1 for one pass, is {}", asked));
  const int repeats =
      asked < 0 ? 1
                : quotient_of(values, batch_key, asked,
                              product_of(values, batch_key, {local, plan.data_parallel_size}));
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  const long long micro =
      is_pipeline ? values.whole("parallelism.pipeline_parallel_microbatch_size") : local;
  plan.micro_batch = static_cast<double>(micro);
  const int passes = quotient_of(values, "training.local_batch_size", local, micro);
  set_accumulation(values, "training.local_batch_size", 1LL * repeats * passes, plan);
}

void read_titan_numbers(const LaunchValues& values, Plan& plan) {
  plan.precision = values.choice<Precision>("training.mixed_precision_param", titan_formats);
  const std::string converters = values.text("model.converters");
  if (converters.find("float8") != std::string::npos)
    plan.precision = Precision::Fp8;
  else if (!converters.empty())
    values.fail("model.converters", "only 'float8' is expressed");
  plan.gradient_precision =
      values.choice<Precision>("training.mixed_precision_reduce", titan_formats);
  plan.kept_parameters = values.choice<KeptFormat>("training.dtype", titan_kept);
  plan.optimizer = values.choice<OptimizerKind>("optimizer.name", titan_optimizers);
  plan.context_exchange =
      values.choice<ContextExchange>("parallelism.context_parallel_rotate_method", titan_exchanges);
  plan.recompute = values.choice<Recompute>("activation_checkpoint.mode", titan_recompute);
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
  if (!size.accelerators)
    values.fail("parallelism.data_parallel_shard_degree",
                "the file does not say on how many accelerators: -N");
  training.accelerators_per_node = size.accelerators_per_node;
  plan.data_parallel_size =
      rest_of(values, "parallelism.tensor_parallel_degree", *size.accelerators,
              {plan.tensor_parallel_size, plan.pipeline_parallel_size, plan.context_parallel_size});
  plan.sequence_parallel = plan.tensor_parallel_size > 1;  // infra/parallelize.py: always
  const long long expert_tensor = values.whole("parallelism.expert_tensor_parallel_degree");
  if (expert_tensor != 1 && expert_tensor != plan.tensor_parallel_size)
    values.fail("parallelism.expert_tensor_parallel_degree",
                "only 1 or the tensor parallel degree is expressed");
  plan.whole_experts = expert_tensor == 1 && plan.expert_parallel_size > 1;
  plan.expert_dispatch =
      values.choice<ExpertDispatch>("parallelism.expert_parallel_comm_backend", titan_dispatchers);
  read_titan_compile(values, plan);
  read_titan_pipeline(values, plan);
  read_titan_batch(values, plan);
  read_titan_sharding(values, size.accelerators_per_node, training);
  read_titan_numbers(values, plan);
  for (const TitanModel& each : titan_models)
    if (each.name == values.text("model.name") && each.flavor == values.text("model.flavor"))
      training.model = each.model;
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
  for (const TitanModel& each : titan_models)
    if (each.model == training.model) {
      values.set("model.name", each.name);
      values.set("model.flavor", each.flavor);
    }
  const auto micro = static_cast<long long>(plan.micro_batch);
  values.set("training.local_batch_size", is_pipeline ? micro * plan.gradient_accumulation : micro);
  values.set("training.global_batch_size", static_cast<long long>(plan.global_batch()));
  if (is_pipeline) {
    values.set("parallelism.pipeline_parallel_microbatch_size", micro);
    for (const TitanSchedule& each : titan_schedules)
      if (titan_schedule_named(each.schedule) == plan.schedule &&
          each.chunks == plan.chunks_per_stage)
        values.set("parallelism.pipeline_parallel_schedule", each.name);
  }
  write_titan_sharding(training, values);
  if (training.sequence_length) values.set("training.seq_len", *training.sequence_length);
  if (training.steps) values.set("training.steps", *training.steps);
  const Precision precision = plan.precision.value_or(Precision::Bf16);
  if (precision == Precision::Fp8) values.set("model.converters", "float8");
  values.set("training.mixed_precision_param", name_or_first(titan_formats, precision));
  values.set("training.mixed_precision_reduce",
             name_or_first(titan_formats, plan.gradient_precision.value_or(Precision::Fp32)));
  values.set("training.dtype",
             name_or_first(titan_kept, plan.kept_parameters.value_or(KeptFormat::Fp32)));
  values.set("optimizer.name", name_or_first(titan_optimizers, plan.optimizer));
  values.set("parallelism.context_parallel_rotate_method",
             name_or_first(titan_exchanges, plan.context_exchange));
  values.set("activation_checkpoint.mode", name_or_first(titan_recompute, plan.recompute));
  if (plan.recompute == Recompute::Selective)
    values.set("activation_checkpoint.selective_ac_option", "op");
  values.set("parallelism.expert_tensor_parallel_degree",
             plan.whole_experts ? 1 : plan.tensor_parallel_size);
  values.set("parallelism.expert_parallel_comm_backend",
             name_or_first(titan_dispatchers, plan.expert_dispatch));
  values.set("compile.enable", plan.compile != Compile::Off);
}

/// The TOML, under a comment with the command that runs it.
std::string write_titan_file(const LaunchedTraining& training,
                             std::span<const LaunchSetting> settings) {
  std::vector<std::string> front = launcher_words(training, "torchrun");
  for (const char* word : {"-m", "torchtitan.train", "--job.config_file", "tofn.toml"})
    front.emplace_back(word);
  std::vector<LaunchSetting> listed(settings.begin(), settings.end());
  for (LaunchSetting& setting : listed) setting.is_list = setting.key == "model.converters";
  return "# " + write_command(front, {}, OptionStyle::Dashed) + write_toml(listed);
}

}  // namespace

const LaunchStack torchtitan_stack{
    .name = "torchtitan",
    .stack = "torchtitan",
    .version = "pytorch/torchtitan v0.2.2 (73a0e697)",
    .keys = torchtitan_keys,
    .passed_over = torchtitan_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_program(file, "torchtitan.") || has_key(file, "model.flavor");
        },
    .to_training = titan_training,
    .from_training = write_titan,
    .write = write_titan_file,
    .as_flags = titan_flags,
};

}  // namespace launch
}  // namespace tofn
