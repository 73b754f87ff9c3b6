#include <algorithm>

#include <fmt/format.h>

#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/torchtitan_names.hpp"

// torchtitan after v0.2.2: functions of config_registry.py, which flags with the same keys
// override. Batches are counted in tokens.

namespace tofn {
inline namespace formats {
namespace {

/// Reads the samples of a replica's micro-batch, and the passes of a step.
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

const LaunchCode torchtitan_registry_code{.launcher = "torchtitan-registry",
                                          .to_training = registry_training};

}  // namespace formats
}  // namespace tofn
