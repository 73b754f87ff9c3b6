#include "sim/memory/fitting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "sim/core/error.hpp"

namespace tofn {
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

bool split_sequence(Plan& plan) { return !std::exchange(plan.sequence_parallel, true); }

bool halve_micro_batch(Plan& plan) {
  const bool is_even = std::fmod(plan.micro_batch, 2) == 0;
  plan.micro_batch /= 2;
  plan.gradient_accumulation *= 2;
  return is_even;
}

/// Takes the accelerators from the replicas.
bool double_size(Plan& plan, int Plan::*size) {
  const bool is_even = plan.data_parallel_size % 2 == 0;
  plan.*size *= 2;
  plan.data_parallel_size /= 2;
  plan.gradient_accumulation *= 2;
  return is_even;
}

/// A change of a plan; false where it does not apply. In order of preference.
struct Change {
  std::string_view name;
  bool (*apply)(Plan&);
};
constexpr std::array changes{
    Change{"recompute the attention core",
           [](Plan& plan) { return recompute(plan, Recompute::Selective); }},
    Change{"shard the optimizer", [](Plan& plan) { return shard(plan, Sharded::Optimizer); }},
    Change{"sequence parallelism", split_sequence},
    Change{"halve the micro-batch", halve_micro_batch},
    Change{"shard the gradients", [](Plan& plan) { return shard(plan, Sharded::Gradients); }},
    Change{"shard the parameters", [](Plan& plan) { return shard(plan, Sharded::Parameters); }},
    Change{"double tp", [](Plan& plan) { return double_size(plan, &Plan::tensor_parallel_size); }},
    Change{"recompute whole layers", [](Plan& plan) { return recompute(plan, Recompute::Full); }},
    Change{"double pp",
           [](Plan& plan) { return double_size(plan, &Plan::pipeline_parallel_size); }}};

/// What the changes can change.
auto choices_of(const Plan& plan) {
  return std::make_tuple(plan.tensor_parallel_size, plan.pipeline_parallel_size, plan.micro_batch,
                         plan.sequence_parallel, plan.recompute, plan.sharded);
}

/// The plan's fullest stage; absent where it is illegal or the model does not divide by it.
std::optional<Footprint> legal_footprint(const Plan& plan, const LayersOf& layers_of,
                                         const MemoryProfile& profile) {
  try {
    check_plan(plan);
    return largest_footprint(layers_of(plan), plan, profile);
  } catch (const InputError&) {
    return {};
  }
}

/// Legal plans one change away that no fewer changes make.
class Neighbours {
 public:
  Neighbours(const LayersOf& layers_of, const MemoryProfile& profile)
      : layers_of_(layers_of), profile_(profile) {}

  std::vector<FittingPlan> of(const FittingPlan& from, int widest_tensor) {
    std::vector<FittingPlan> found;
    for (const Change& change : changes) {
      FittingPlan next = from;
      if (!change.apply(next.plan) || next.plan.tensor_parallel_size > widest_tensor ||
          !seen_.insert(choices_of(next.plan)).second)
        continue;
      const auto largest = legal_footprint(next.plan, layers_of_, profile_);
      if (!largest) continue;
      next.largest = *largest;
      next.changes.push_back(change.name);
      found.push_back(std::move(next));
    }
    return found;
  }

 private:
  const LayersOf& layers_of_;
  const MemoryProfile& profile_;
  std::set<decltype(choices_of(Plan{}))> seen_;
};

}  // namespace

Bytes free_memory(const Footprint& footprint, const Accelerator& accelerator) {
  return accelerator.memory.value - footprint.total();
}

bool fits(const Footprint& footprint, const Accelerator& accelerator) {
  return free_memory(footprint, accelerator) >= Bytes{};
}

std::optional<FittingPlan> nearest_plan_that_fits(const Plan& plan, const LayersOf& layers_of,
                                                  const Accelerator& accelerator,
                                                  const MemoryProfile& profile) {
  const int widest =
      std::max(plan.tensor_parallel_size, accelerator.scale_up_domain_accelerators.value);
  Neighbours neighbours(layers_of, profile);
  std::vector<FittingPlan> reached{
      {.plan = plan, .changes = {}, .largest = largest_footprint(layers_of(plan), plan, profile)}};
  while (!reached.empty()) {
    for (const FittingPlan& each : reached)
      if (fits(each.largest, accelerator)) return each;
    std::vector<FittingPlan> further;
    for (const FittingPlan& each : reached) {
      auto found = neighbours.of(each, widest);
      std::move(found.begin(), found.end(), std::back_inserter(further));
    }
    reached = std::move(further);
  }
  return {};
}

}  // namespace tofn
