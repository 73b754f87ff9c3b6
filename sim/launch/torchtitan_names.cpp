#include "sim/launch/torchtitan_names.hpp"

#include <vector>

namespace tofn {
inline namespace launch {

PipelineSchedule titan_schedule_named(std::string_view name) {
  for (const auto& [each, schedule] : pipeline_schedules)
    if (each == name) return schedule;
  return PipelineSchedule::OneForwardOneBackward;
}

void read_titan_pipeline(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view key = "parallelism.pipeline_parallel_schedule";
  if (plan.pipeline_parallel_size == 1) return;
  if (values.is_stated("parallelism.pipeline_parallel_layers_per_stage"))
    values.fail("parallelism.pipeline_parallel_layers_per_stage",
                "stages of so many layers are not expressed: state none of it");
  std::vector<std::pair<std::string_view, const TitanSchedule*>> names;
  for (const TitanSchedule& each : titan_schedules) names.emplace_back(each.name, &each);
  const auto* schedule = values.choice<const TitanSchedule*>(key, names);
  plan.schedule = titan_schedule_named(schedule->schedule);
  plan.chunks_per_stage = schedule->chunks;
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
  constexpr std::array<std::pair<std::string_view, int>, 3> policies{
      {{"default", 0}, {"always", 1}, {"never", 2}}};
  const int policy = values.choice<int>(reshard, policies);
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  if (plan.sharded != Sharded::Parameters || policy == 1 || (policy == 0 && !is_pipeline)) return;
  plan.sharded = is_pipeline ? Sharded::Optimizer : Sharded::Gradients;
}

}  // namespace launch
}  // namespace tofn
