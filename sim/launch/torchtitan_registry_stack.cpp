#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/launch/launch_stack.hpp"
#include "sim/launch/torchtitan_names.hpp"

// torchtitan after v0.2.2: functions of config_registry.py, over which flags of the same keys
// stand. Batches are counted in tokens.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view registry_config = "torchtitan/config/configs.py";
constexpr std::string_view registry_models = "torchtitan/models/NAME/config_registry.py";
constexpr LaunchKind size_kind = LaunchKind::Whole;
constexpr LaunchKind truth_kind = LaunchKind::Truth;

constexpr std::array registry_keys{
    LaunchKey{"hf_assets_path", LaunchKind::Text, "", registry_models},
    LaunchKey{"activation_checkpoint", LaunchKind::Text, "none", registry_models},
    LaunchKey{"model_spec", LaunchKind::Text, "", registry_models},
    LaunchKey{"model_spec.converters.0", LaunchKind::Text, "", registry_models},
    LaunchKey{"optimizer", LaunchKind::Text, "default_adamw", registry_models},
    LaunchKey{"training.num_tokens_per_microbatch_per_dp_rank", size_kind, "16384",
              registry_config},
    LaunchKey{"training.num_tokens_per_train_step", size_kind, "-1", registry_config},
    LaunchKey{"training.max_context_length", size_kind, "2048", registry_config},
    LaunchKey{"training.steps", size_kind, "10000", registry_config},
    LaunchKey{"training.dtype", LaunchKind::Text, "float32", registry_config},
    LaunchKey{"training.mixed_precision_param", LaunchKind::Text, "bfloat16", registry_config},
    LaunchKey{"training.mixed_precision_reduce", LaunchKind::Text, "float32", registry_config},
    LaunchKey{"parallelism.data_parallel_replicate_degree", size_kind, "1", registry_config},
    LaunchKey{"parallelism.data_parallel_shard_degree", size_kind, "-1", registry_config},
    LaunchKey{"parallelism.fsdp_reshard_after_forward", LaunchKind::Text, "default",
              registry_config},
    LaunchKey{"parallelism.tensor_parallel_degree", size_kind, "1", registry_config,
              &Plan::tensor_parallel_size},
    LaunchKey{"parallelism.enable_sequence_parallel", truth_kind, "true", registry_config,
              &Plan::sequence_parallel},
    LaunchKey{"parallelism.pipeline_parallel_degree", size_kind, "1", registry_config,
              &Plan::pipeline_parallel_size},
    LaunchKey{"parallelism.pipeline_parallel_layers_per_stage", LaunchKind::Text, "",
              registry_config},
    LaunchKey{"parallelism.pipeline_parallel_schedule", LaunchKind::Text, "1F1B", registry_config},
    LaunchKey{"parallelism.num_pp_microbatches", size_kind, "1", registry_config},
    LaunchKey{"parallelism.context_parallel_degree", size_kind, "1", registry_config,
              &Plan::context_parallel_size},
    LaunchKey{"parallelism.expert_parallel_degree", size_kind, "1", registry_config,
              &Plan::expert_parallel_size},
    LaunchKey{"compile.enable", truth_kind, "false", registry_config},
    LaunchKey{"compile.components", LaunchKind::Text, "model loss", registry_config},
    LaunchKey{"compile.enable_async_tensor_parallel", truth_kind, "false", registry_config,
              &Plan::tensor_overlap},
};

constexpr auto registry_passed_over = std::to_array<std::string_view>(
    {"loss", "call", "profiler", "metrics", "lr_scheduler", "dataloader", "checkpoint", "validator",
     "optimizer.", "training", "parallelism", "override.", "module", "config", "model_spec.0",
     "compile", "comm.", "debug."});

/// Names of the Hugging Face folders that the recipes read, of models of configs/models.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> registry_assets{
    {{"./assets/hf/Llama-3.1-8B", "llama3-8b"},
     {"./assets/hf/Llama-3.1-70B", "llama3-70b"},
     {"./assets/hf/Llama-3.1-405B", "llama3-405b"},
     {"./assets/hf/DeepSeek-V3.1-Base", "deepseek-v3"},
     {"./assets/hf/gpt-oss-20b", "gpt-oss-20b"}}};

constexpr std::array<std::pair<std::string_view, Recompute>, 3> registry_recompute{
    {{"none", Recompute::None},
     {"SelectiveAC.Config", Recompute::Selective},
     {"FullAC.Config", Recompute::Full}}};

/// Of one micro-batch of a replica, and of the passes of a step.
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
  plan.whole_experts = plan.expert_parallel_size > 1;
  read_titan_compile(values, plan);
  read_titan_pipeline(values, plan);
  read_registry_batch(values, training);
  read_titan_sharding(values, size.accelerators_per_node, training);
  plan.precision = values.choice<Precision>("training.mixed_precision_param", titan_formats);
  const std::string converter = values.text("model_spec.converters.0");
  if (converter.starts_with("Float8") || converter.starts_with("MXFP8"))
    plan.precision = Precision::Fp8;
  else if (!converter.empty())
    values.fail("model_spec.converters.0", "only Float8 and MXFP8 converters are expressed");
  plan.gradient_precision =
      values.choice<Precision>("training.mixed_precision_reduce", titan_formats);
  plan.kept_parameters = values.choice<KeptFormat>("training.dtype", titan_kept);
  plan.recompute = values.choice<Recompute>("activation_checkpoint", registry_recompute);
  if (values.text("optimizer") != "default_adamw")
    values.fail("optimizer", "only default_adamw is expressed");
  for (const auto& [path, model] : registry_assets)
    if (path == values.text("hf_assets_path")) training.model = model;
  training.steps = values.whole("training.steps");
  return training;
}

}  // namespace

const LaunchStack torchtitan_registry_stack{
    .name = "torchtitan-registry",
    .stack = "torchtitan",
    .version = "pytorch/torchtitan b5bcd76c",
    .keys = registry_keys,
    .passed_over = registry_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_key(file, "training.num_tokens_per_microbatch") ||
                 has_key(file, "training.max_context_length");
        },
    .to_training = registry_training,
};

}  // namespace launch
}  // namespace tofn
