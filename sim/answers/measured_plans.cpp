#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "sim/answers/uncertain_parts.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// True if the plan keeps the rules and fits the memory of the step's accelerators.
bool can_run(const Plan& plan, const SimulatedStep& step) {
  const Accelerator& chip = step.cluster.accelerator;
  try {
    const auto layers = layer_work(step.model, computed_plan(plan, step.model, chip));
    return fits(largest_footprint(layers, plan, step.memory_profile), chip);
  } catch (const InputError&) {
    return false;
  }
}

/// Value as its option takes it; empty for kinds of values that no search chooses.
template <class T>
std::string option_value(const T& value) {
  if constexpr (std::is_same_v<T, bool>) return value ? "on" : "off";
  if constexpr (std::is_same_v<T, int>) return std::to_string(value);
  if constexpr (std::is_enum_v<T>) return std::string(name_of(value));
  return {};
}

/// Rows that only a search of all plans chooses, besides overlaps that it always takes.
constexpr std::array rows_of_all{"schedule", "whole_experts", "tensor_overlap", "shards_in_domain",
                                 "offload_optimizer"};

}  // namespace

std::vector<Plan> plans_to_measure(const SimulatedStep& step) {
  const int replicas = step.plan.data_parallel_size;
  const int replica = step.plan.accelerators() / replicas;
  const int node = step.cluster.accelerators_per_node.value;
  std::vector<Plan> plans;
  for (int count = 1, least = 1; count <= replicas; ++count) {
    const bool is_whole = count >= least && count * replica % node == 0 && replicas % count == 0;
    if (!is_whole && count != replicas) continue;
    Plan plan = step.plan;
    plan.data_parallel_size = count;
    if (!can_run(plan, step)) continue;
    plans.push_back(plan);
    least = 2 * count;
  }
  return plans;
}

std::string observed_words(const Plan& measured) {
  return fmt::format("--observed '{},{:g}: TIME'", measured.accelerators(),
                     measured.global_batch());
}

std::string plan_options(const SimulatedStep& step) {
  std::string words;
  const auto add = [&](std::string_view option, const std::string& value) {
    words += fmt::format("{}--{} {}", words.empty() ? "" : " ", option, value);
  };
  const auto chosen = chosen_rows(step.plan, step.model);
  visit_plan([&](const PlanField& field, auto member) {
    const bool is_of_all = std::ranges::find(rows_of_all, field.name) != rows_of_all.end();
    if (std::ranges::find(chosen, field.name) != chosen.end() ||
        (is_of_all && step.plan.*member != Plan{}.*member))
      add(field.option(), option_value(step.plan.*member));
  });
  if (step.plan.micro_batch == std::floor(step.plan.micro_batch))
    add("micro-batch", fmt::format("{:g}", step.plan.micro_batch));
  return words;
}

}  // namespace answers
}  // namespace tofn
