#include "sim/formats/launchers/torchtitan_names.hpp"

#include <string>

namespace tofn {
inline namespace formats {

void read_titan_pipeline(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view key = "parallelism.pipeline_parallel_schedule";
  if (plan.pipeline_parallel_size == 1) return;
  if (values.is_stated("parallelism.pipeline_parallel_layers_per_stage"))
    values.fail("parallelism.pipeline_parallel_layers_per_stage",
                "stages of so many layers are not expressed: state none of it");
  values.choose(key, plan);
}

void read_titan_compile(const LaunchValues& values, Plan& plan) {
  const bool has_model = values.text("compile.components").find("model") != std::string::npos;
  plan.compile = values.truth("compile.enable") && has_model ? Compile::On : Compile::Off;
}

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

}  // namespace formats
}  // namespace tofn
