#include "sim/memory/fitting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace memory {
namespace {

bool shard(Plan& plan, Sharded what) {
  const bool is_more = plan.sharded < what && gradient_ranks(plan).count > 1;
  plan.sharded = what;
  return is_more;
}

bool recompute(Plan& plan, Recompute what) {
  const bool is_more = plan.recompute < what;
  plan.recompute = what;
  return is_more;
}

bool split_sequence(Plan& plan) {
  const bool is_more = !plan.sequence_parallel && plan.tensor_parallel_size > 1;
  plan.sequence_parallel = true;
  return is_more;
}

bool halve_micro_batch(Plan& plan) {
  const bool is_even = std::fmod(plan.micro_batch, 2) == 0;
  plan.micro_batch /= 2;
  plan.gradient_accumulation *= 2;
  return is_even;
}

bool single_samples(Plan& plan) {
  const bool is_whole = plan.micro_batch > 1 && std::fmod(plan.micro_batch, 1) == 0;
  plan.gradient_accumulation *= static_cast<int>(plan.micro_batch);
  plan.micro_batch = 1;
  return is_whole;
}

/// Doubles a size of the plan and halves its replicas; false if their number is odd.
bool double_size(Plan& plan, int Plan::*size) {
  const bool is_even = plan.data_parallel_size % 2 == 0;
  plan.*size *= 2;
  plan.data_parallel_size /= 2;
  plan.gradient_accumulation *= 2;
  return is_even;
}

/// Drops the stated stage layers, because they hold for the old number of stages.
bool double_stages(Plan& plan) {
  plan.stage_layers = {};
  return double_size(plan, &Plan::pipeline_parallel_size);
}

bool offload_optimizer(Plan& plan) {
  const bool is_more = !plan.offloads_optimizer;
  plan.offloads_optimizer = true;
  return is_more;
}

/// A change of a plan; `apply` returns false if it does not apply. Costs are assumed, from its
/// effect on the length of a step.
struct PlanChange {
  std::string_view name;
  int cost;
  bool (*apply)(Plan&);
};
constexpr std::array changes{
    PlanChange{"recompute the attention core", 1,
               [](Plan& plan) { return recompute(plan, Recompute::Selective); }},
    PlanChange{"shard the optimizer", 1,
               [](Plan& plan) { return shard(plan, Sharded::Optimizer); }},
    PlanChange{"sequence parallelism", 1, split_sequence},
    PlanChange{"halve the micro-batch", 2, halve_micro_batch},
    PlanChange{"micro-batch 1", 3, single_samples},
    PlanChange{"shard the gradients", 2,
               [](Plan& plan) { return shard(plan, Sharded::Gradients); }},
    PlanChange{"shard the parameters", 3,
               [](Plan& plan) { return shard(plan, Sharded::Parameters); }},
    PlanChange{"double tp", 3,
               [](Plan& plan) { return double_size(plan, &Plan::tensor_parallel_size); }},
    PlanChange{"recompute whole layers", 4,
               [](Plan& plan) { return recompute(plan, Recompute::Full); }},
    PlanChange{"double pp", 4, double_stages},
    PlanChange{"offload the optimizer", 6, offload_optimizer}};

/// Fields of the plan that the changes set.
auto choices_of(const Plan& plan) {
  return std::make_tuple(plan.tensor_parallel_size, plan.pipeline_parallel_size, plan.micro_batch,
                         plan.sequence_parallel, plan.recompute, plan.sharded,
                         plan.offloads_optimizer);
}

/// Footprint of the plan's most loaded stage; absent if the plan breaks a rule or does not divide
/// the model.
std::optional<Footprint> legal_footprint(const Plan& plan, const LayersOf& layers_of,
                                         const MemoryProfile& profile) {
  try {
    check_plan(plan);
    return largest_footprint(layers_of(plan), plan, profile);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

Bytes free_memory(const Footprint& footprint, const Accelerator& accelerator) {
  return accelerator.memory.value - footprint.total();
}

bool fits(const Footprint& footprint, const Accelerator& accelerator) {
  return free_memory(footprint, accelerator) >= Bytes{};
}

bool is_close(const Footprint& footprint, const Accelerator& accelerator) {
  constexpr double error = 0.05;
  const double left = free_memory(footprint, accelerator) / accelerator.memory.value;
  return std::abs(left) < error;
}

std::optional<FittingPlan> nearest_plan_that_fits(const Plan& plan, const LayersOf& layers_of,
                                                  const Accelerator& accelerator,
                                                  const MemoryProfile& profile) {
  const int widest =
      std::max(plan.tensor_parallel_size, accelerator.scale_up_domain_accelerators.value);
  const bool has_host_link = accelerator.host_link.value > BytesPerSecond{};
  std::set<decltype(choices_of(plan))> seen;
  std::multimap<int, FittingPlan> reached;  // by cost; equal costs in table order
  reached.emplace(0, FittingPlan{.plan = plan, .changes = {}, .largest = {}});
  while (!reached.empty()) {
    auto [cost, best] = *reached.begin();
    reached.erase(reached.begin());
    if (!seen.insert(choices_of(best.plan)).second) continue;
    const auto largest = legal_footprint(best.plan, layers_of, profile);
    if (!largest) continue;
    best.largest = *largest;
    if (fits(best.largest, accelerator)) return best;
    for (const PlanChange& change : changes) {
      FittingPlan next = best;
      if (!change.apply(next.plan) || next.plan.tensor_parallel_size > widest) continue;
      if (next.plan.offloads_optimizer && !has_host_link) continue;
      next.changes.push_back(change.name);
      reached.emplace(cost + change.cost, std::move(next));
    }
  }
  return {};
}

}  // namespace memory
}  // namespace tofn
