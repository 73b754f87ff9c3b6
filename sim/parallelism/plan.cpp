#include "sim/parallelism/plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace parallelism {
namespace {

void require_positive(const char* name, int size) {
  if (size < 1) throw InputError(fmt::format("{} must be at least 1, got {}", name, size));
}

}  // namespace

bool Plan::has_whole_samples() const {
  return std::abs(micro_batch - std::round(micro_batch)) < 1e-9;
}

Plan with_settings(Plan plan, const RunSettings& settings) {
  plan.tensor_overlap = settings.tensor_overlap.value_or(plan.tensor_overlap);
  plan.data_overlap = settings.overlap_gradient_reduction.value_or(plan.data_overlap);
  plan.cuda_graphs = settings.cuda_graphs.value_or(plan.cuda_graphs);
  if (settings.precision) plan.precision = settings.precision;
  plan.fp8_attention = settings.fp8_attention.value_or(plan.fp8_attention);
  plan.in_network_reduction = settings.in_network_reduction.value_or(plan.in_network_reduction);
  return plan;
}

std::string to_text(const StageLayers& layers) {
  const std::vector<int>& counts = layers.counts;
  std::vector<std::string> runs;
  for (auto run = counts.begin(); run != counts.end();) {
    const auto end = std::find_if(run, counts.end(), [&](int count) { return count != *run; });
    runs.push_back(end - run > 1 ? fmt::format("{} x {}", end - run, *run)
                                 : fmt::format("{}", *run));
    run = end;
  }
  return fmt::format("{}", fmt::join(runs, " + "));
}

Plan make_plan(Plan plan, int accelerators, double global_batch) {
  require_positive("accelerators", accelerators);
  require_positive("tp", plan.tensor_parallel_size);
  require_positive("pp", plan.pipeline_parallel_size);
  require_positive("cp", plan.context_parallel_size);
  require_positive("gradient accumulation", plan.gradient_accumulation);
  if (!(global_batch > 0))
    throw InputError(fmt::format("the global batch must be above 0, got {}", global_batch));
  // The product of three sizes may exceed any integer; a double is exact enough to compare.
  const double product =
      1.0 * plan.tensor_parallel_size * plan.pipeline_parallel_size * plan.context_parallel_size;
  if (std::fmod(accelerators, product) != 0)
    throw InputError(fmt::format("tp*pp*cp = {}*{}*{} = {:.0f} does not divide {} accelerators",
                                 plan.tensor_parallel_size, plan.pipeline_parallel_size,
                                 plan.context_parallel_size, product, accelerators));
  plan.data_parallel_size = accelerators / static_cast<int>(product);
  plan.micro_batch = global_batch / plan.data_parallel_size / plan.gradient_accumulation;
  if (plan.micro_batch < 1) {
    const double needed = std::ceil(1.0 * accelerators * plan.gradient_accumulation / global_batch);
    throw InputError(fmt::format(
        "global batch {} leaves less than one sample to each of {} replicas x {} accumulation "
        "steps: tp*pp*cp must be at least {:.0f}, is {:.0f}",
        global_batch, plan.data_parallel_size, plan.gradient_accumulation, needed, product));
  }
  plan = without_idle_options(plan);
  check_plan(plan);
  return plan;
}

Plan make_plan(const PlanRequest& request) {
  return make_plan(Plan{.tensor_parallel_size = request.tensor_parallel_size,
                        .pipeline_parallel_size = request.pipeline_parallel_size,
                        .context_parallel_size = request.context_parallel_size,
                        .gradient_accumulation = request.gradient_accumulation},
                   request.accelerators, request.global_batch);
}

RankSet tensor_ranks(const Plan& plan) { return {.stride = 1, .count = plan.tensor_parallel_size}; }

RankSet context_ranks(const Plan& plan) {
  return {.stride = plan.tensor_parallel_size, .count = plan.context_parallel_size};
}

RankSet gradient_ranks(const Plan& plan) {
  return {.stride = plan.tensor_parallel_size,
          .count = plan.context_parallel_size * plan.data_parallel_size};
}

int expert_sharers(const Plan& plan) {
  return gradient_ranks(plan).count * (plan.whole_experts ? plan.tensor_parallel_size : 1);
}

RankSet expert_ranks(const Plan& plan) {
  if (expert_sharers(plan) % plan.expert_parallel_size != 0) check_plan(plan);  // throws
  return {.stride = plan.whole_experts ? 1 : plan.tensor_parallel_size,
          .count = plan.expert_parallel_size};
}

RankSet expert_gradient_ranks(const Plan& plan) {
  const RankSet experts = expert_ranks(plan);
  return {.stride = experts.stride * experts.count, .count = expert_sharers(plan) / experts.count};
}

int sharing_ranks(const Plan& plan, RankSet holders, int domain) {
  if (!shards_in_groups(plan)) return holders.count;
  const long long span =
      plan.shard_ranks ? 1LL * *plan.shard_ranks * gradient_ranks(plan).stride : domain;
  return static_cast<int>(
      std::clamp(span / holders.stride, 1LL, static_cast<long long>(holders.count)));
}

RankSet pipeline_ranks(const Plan& plan) {
  return {.stride = plan.accelerators() / plan.pipeline_parallel_size,
          .count = plan.pipeline_parallel_size};
}

}  // namespace parallelism
}  // namespace tofn
