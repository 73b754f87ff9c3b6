#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/app/job_options.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"
#include "sim/parallelism/plan_fields.hpp"
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

/// What an option of this type takes.
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

std::optional<int> given(const options::variables_map& values, const char* name, int) {
  return count_option(values, name);
}
std::optional<int> given(const options::variables_map& values, const char* name,
                         std::optional<int>) {
  return count_option(values, name);
}
std::optional<bool> given(const options::variables_map& values, const char* name, bool) {
  return switch_option(values, name);
}
std::optional<StageLayers> given(const options::variables_map& values, const char* name,
                                 const StageLayers&) {
  if (auto counts = numbers_option(values, name)) return StageLayers{std::move(*counts)};
  return {};
}
std::optional<RecomputeModules> given(const options::variables_map& values, const char* name,
                                      RecomputeModules) {
  const auto text = text_option(values, name);
  if (!text) return {};
  try {
    return recompute_modules(*text);
  } catch (const InputError& unknown) {
    throw InputError({}, std::string("--") + name, unknown.what());
  }
}
template <class E>
auto given(const options::variables_map& values, const char* name, E choice) {
  return choice_option(values, name, names_of(choice));
}

std::vector<std::string> lora_target_names() {
  std::vector<std::string> names;
  for (const auto& [name, target] : lora_targets) names.emplace_back(name);
  return names;
}
std::string lora_targets_help() {
  return fmt::format("products that they stand beside (default: linear_qkv,linear_proj): {}",
                     list_text(lora_target_names(), "or"));
}

}  // namespace

void add_model_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  description.add_options()  //
      ("sequence-length", text(),
       "tokens of a sample, e.g. 4096 or 8k, which is 8 x 1024 (default: the model file's)")  //
      ("lora-rank", text(), "fine-tuning: of adapters, all else being frozen")                //
      ("lora-targets", text(), lora_targets_help().c_str())                                   //
      ("freeze", text(),
       "fine-tuning: parts of the model, e.g. vocabulary,transformer:16 (its "
       "first 16 layers)")  //
      ("packed-length", text(), "fine-tuning: mean tokens of the texts that a sample packs");
}

FineTuning fine_tuning_of(const options::variables_map& values) {
  constexpr int largest = 10'000'000;
  FineTuning asked;
  asked.lora_rank = count_option(values, "lora-rank", largest).value_or(0);
  for (const std::string& name :
       options::split_list(text_option(values, "lora-targets").value_or(""))) {
    const auto found = std::find_if(lora_targets.begin(), lora_targets.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (found == lora_targets.end())
      throw InputError({}, "--lora-targets", unknown_name("product", name, lora_target_names()));
    asked.lora_targets.push_back(found->second);
  }
  asked.freeze = options::split_list(text_option(values, "freeze").value_or(""));
  asked.packed_length = count_option(values, "packed-length", largest).value_or(0);
  return asked;
}

Model asked_model(const options::variables_map& values, const std::filesystem::path& configs,
                  const std::string& name) {
  return fine_tuned(find_model(configs, name, sequence_length_option(values)),
                    fine_tuning_of(values));
}

void add_plan_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  auto add = description.add_options();
  add("plan", text(), "a name of `tofn list plans`, or a file (.yaml); options go above it");
  add("micro-batch", text(), "samples per replica and pass");
  add("grad-accum", text(), "micro-batches of a step (default: what the batch needs)");
  visit_plan([&](const PlanField& field, auto member) {
    if (!field.is_worked_out)
      add(field.option().c_str(), text(), help_of(field, Plan{}.*member).c_str());
  });
}

PlanFile plan_of(const options::variables_map& values, const std::filesystem::path& configs,
                 const StackDefaults& framework_defaults, PlanFile plan) {
  if (const auto name = text_option(values, "plan")) plan = find_plan(configs, *name);
  visit_plan([&](const PlanField& field, auto member) {
    if (field.is_worked_out) return;
    auto& choice = plan.split.*member;
    if (const auto found = given(values, field.option().c_str(), choice)) {
      choice = *found;
      plan.stated.emplace_back(field.name);
    }
  });
  plan.split = as_run_by(framework_defaults, plan.split, [&](std::string_view name) {
    return std::find(plan.stated.begin(), plan.stated.end(), name) != plan.stated.end();
  });
  if (const auto samples = count_option(values, "micro-batch")) plan.micro_batch = samples;
  if (const auto steps = count_option(values, "grad-accum")) plan.gradient_accumulation = steps;
  return plan;
}

}  // namespace app
}  // namespace tofn
