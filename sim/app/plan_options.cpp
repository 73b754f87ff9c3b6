#include "sim/app/plan_options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

template <class Names>
std::string one_of(const Names& table) {
  std::vector<std::string> names;
  for (const auto& [name, value] : table) names.emplace_back(name);
  return list_text(names, "or");
}

/// Help of the option for a plan's field; the second argument only chooses the type.
std::string help_of(const PlanField& field, int) { return std::string(field.meaning); }
std::string help_of(const PlanField& field, std::optional<int>) {
  return std::string(field.meaning);
}
std::string help_of(const PlanField& field, bool) {
  return fmt::format("on or off: {}", field.meaning);
}
std::string help_of(const PlanField& field, const StageLayers&) {
  return fmt::format("{}, e.g. 7,8,8,7 (default: even)", field.meaning);
}
std::string help_of(const PlanField& field, RecomputeModules) {
  return fmt::format("{}, e.g. layernorm,moe_act: {}", field.meaning,
                     one_of(recompute_module_names));
}
template <class E>
std::string help_of(const PlanField& field, E choice) {
  return fmt::format("{}: {}", field.meaning, one_of(names_of(choice)));
}

std::string lora_targets_help() {
  return fmt::format("products that they stand beside (default: linear_qkv,linear_proj): {}",
                     one_of(lora_targets));
}

std::vector<LoraTarget> lora_targets_of(const std::string& text, const std::string& flag) {
  std::vector<LoraTarget> targets;
  for (const std::string& name : split_list(text))
    targets.push_back(choice_in(lora_targets, name, flag, "product"));
  return targets;
}

constexpr int largest = 10'000'000;

}  // namespace

namespace option {

constexpr OptionOf<int> lora_rank{
    {"lora-rank", "rank of LoRA adapters, with the rest of the model frozen"}, whole<largest>};
constexpr OptionOf<std::vector<LoraTarget>> lora_products{{"lora-targets"}, lora_targets_of};
constexpr Text freeze{
    {"freeze",
     "fine-tuning: parts of the model, e.g. vocabulary,transformer:16 (its first 16 layers)"}};
constexpr OptionOf<int> packed_length{
    {"packed-length", "fine-tuning: mean tokens of the texts that a sample packs"}, whole<largest>};

}  // namespace option

CommandOptions model_rows() {
  constexpr Jobs request = of_models & ~run_of_file;
  return {{&option::sequence_length, request | workload_steps | replaced_in_rl},
          {&option::lora_rank, request},
          {&option::lora_products, request, lora_targets_help()},
          {&option::freeze, request},
          {&option::packed_length, request}};
}

FineTuning fine_tuning_of(const options::variables_map& values) {
  return {.lora_rank = option::lora_rank.of(values).value_or(0),
          .lora_targets = option::lora_products.of(values).value_or(std::vector<LoraTarget>{}),
          .freeze = split_list(option::freeze.of(values).value_or("")),
          .packed_length = option::packed_length.of(values).value_or(0)};
}

Model requested_model(const options::variables_map& values, const std::filesystem::path& configs,
                      const std::string& name) {
  return fine_tuned(find_model(configs, name, option::sequence_length.of(values)),
                    fine_tuning_of(values));
}

CommandOptions plan_rows() {
  constexpr Jobs of_dimensions = of_models | rl_predicted;
  constexpr Jobs predicted = of_dimensions | workload_predicted;
  constexpr Jobs measured = predicted | workload_steps;
  constexpr Jobs all = measured | workload_scaled;
  const std::array<std::pair<const AnyOption*, Jobs>, 6> of_workloads{
      {{&plan_option(&Plan::tensor_parallel_size), all},
       {&plan_option(&Plan::context_parallel_size), all},
       {&plan_option(&Plan::precision), measured},
       {&plan_option(&Plan::cuda_graphs), measured},
       {&plan_option(&Plan::fp8_attention), measured},
       {&plan_option(&Plan::in_network_reduction), predicted}}};
  CommandOptions rows{{&option::plan, predicted},
                      {&option::micro_batch, of_dimensions},
                      {&option::gradient_accumulation, all}};
  visit_plan([&](const PlanField& field, auto member) {
    if (field.is_worked_out) return;
    const AnyOption* const request = &plan_option(member);
    Jobs jobs = of_dimensions;
    for (const auto& [option, wider] : of_workloads)
      if (option == request) jobs = wider;
    rows.push_back({request, jobs, help_of(field, Plan{}.*member)});
  });
  return rows;
}

StatedPlan plan_of(const options::variables_map& values, const std::filesystem::path& configs,
                   const StackDefaults& framework_defaults, StatedPlan plan) {
  if (const auto name = option::plan.of(values)) plan = find_plan(configs, *name);
  visit_plan([&](const PlanField& field, auto member) {
    if (field.is_worked_out) return;
    if (const auto found = plan_option(member).of(values)) {
      plan.split.*member = *found;
      plan.stated.emplace_back(field.name);
    }
  });
  plan.split = as_run_by(framework_defaults, plan.split, [&](std::string_view name) {
    return std::ranges::find(plan.stated, name) != plan.stated.end();
  });
  if (const auto samples = option::micro_batch.of(values)) plan.micro_batch = samples;
  if (const auto steps = option::gradient_accumulation.of(values))
    plan.gradient_accumulation = steps;
  return plan;
}

void read_settings(const options::variables_map& values, RunSettings& settings) {
  if (const auto release = option::release.as(values, release_of))
    settings.software_release = *release;
  if (const auto given = plan_option(&Plan::precision).of(values)) settings.precision = given;
  if (const auto given = plan_option(&Plan::cuda_graphs).of(values)) settings.cuda_graphs = given;
  if (const auto given = plan_option(&Plan::fp8_attention).of(values))
    settings.fp8_attention = given;
  if (const auto given = plan_option(&Plan::in_network_reduction).of(values))
    settings.in_network_reduction = given;
}

}  // namespace app
}  // namespace tofn
