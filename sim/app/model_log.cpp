#include "sim/app/model_log.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/job_options.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/stated_arguments.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Argument of Megatron-LM, NeMo or GPT-NeoX, and the option that means the same.
struct ArgumentOption {
  std::string_view argument;
  const AnyOption* option;
  /// Value of the option for a value of the argument; empty if that states nothing.
  std::string (*word)(const std::string& value);
};

std::string same(const std::string& value) {
  return value == "None" || value == "null" ? "" : value;
}
/// Returns 1 for GPT-NeoX's 0, which means that there is no pipeline.
std::string at_least_one(const std::string& value) { return value == "0" ? "1" : same(value); }
std::string true_or_false(const std::string& value) {
  const std::string word = lower_case(value);
  return word == "true" ? "on" : word == "false" ? "off" : "";
}
std::string sharded_optimizer(const std::string& value) {
  return lower_case(value) == "true" ? "optimizer" : "";
}
std::string recomputed(const std::string& value) {
  const std::string word = lower_case(value);
  return word == "full" || word == "selective" ? word
         : word == "none" || word == "null"    ? "none"
                                               : "";
}
std::string all_recomputed(const std::string& value) {
  return lower_case(value) == "true" ? "full" : "";
}

const std::vector<ArgumentOption>& argument_options() {
  static const std::vector<ArgumentOption> rows{
      {"tensor_model_parallel_size", &plan_option(&Plan::tensor_parallel_size), same},
      {"pipeline_model_parallel_size", &plan_option(&Plan::pipeline_parallel_size), same},
      {"model_parallel_size", &plan_option(&Plan::tensor_parallel_size), same},  // GPT-NeoX
      {"pipe_parallel_size", &plan_option(&Plan::pipeline_parallel_size), at_least_one},
      {"virtual_pipeline_model_parallel_size", &plan_option(&Plan::chunks_per_stage), same},
      {"context_parallel_size", &plan_option(&Plan::context_parallel_size), same},
      {"expert_model_parallel_size", &plan_option(&Plan::expert_parallel_size), same},
      {"sequence_parallel", &plan_option(&Plan::sequence_parallel), true_or_false},
      {"use_distributed_optimizer", &plan_option(&Plan::sharded), sharded_optimizer},
      {"recompute_granularity", &plan_option(&Plan::recompute), recomputed},
      {"checkpoint_activations", &plan_option(&Plan::recompute), all_recomputed},  // until 2022
      {"overlap_grad_reduce", &plan_option(&Plan::data_overlap), true_or_false},
      {"overlap_param_gather", &plan_option(&Plan::parameter_overlap), true_or_false},
      {"tp_comm_overlap", &plan_option(&Plan::tensor_overlap), true_or_false},
      {"micro_batch_size", &option::micro_batch, same},
      {"train_micro_batch_size_per_gpu", &option::micro_batch, same},  // DeepSpeed
      {"seq_length", &option::sequence_length, same}};
  return rows;
}

std::vector<std::string_view> argument_names() {
  std::vector<std::string_view> names;
  for (const ArgumentOption& each : argument_options()) names.push_back(each.argument);
  return names;
}

/// Adds the log's arguments to the options. InputError if an argument contradicts an option.
options::variables_map with_arguments(options::variables_map values, const std::string& text,
                                      const std::string& file) {
  std::vector<std::string> arguments;
  for (const StatedArgument& stated : stated_arguments(text, file, argument_names())) {
    const auto& rows = argument_options();
    const auto& row =
        *std::ranges::find_if(rows, [&](const auto& each) { return each.argument == stated.name; });
    const std::string word = row.word(stated.value);
    if (word.empty()) continue;
    const auto given = row.option->text(values);
    if (given && *given != word)
      throw InputError(stated.place, row.option->flag(),
                       fmt::format("says {}, but the log says {}", *given, stated.value));
    if (given) continue;
    values = with_option(std::move(values), *row.option, word);
    arguments.push_back(fmt::format("{} {}", row.option->name, word));
  }
  if (!arguments.empty()) say(fmt::format("{}: states {}", file, fmt::join(arguments, ", ")));
  return values;
}

/// Throws InputError if the log's arguments contradict the plan's file.
void check_plan_file(const StatedPlan& stated, const StatedPlan& with_log,
                     const std::string& file) {
  visit_plan([&](const PlanField& field, auto member) {
    const bool is_stated = std::ranges::find(stated.stated, field.name) != stated.stated.end();
    if (is_stated && stated.split.*member != with_log.split.*member)
      throw InputError({.file = file}, field.name,
                       fmt::format("is not what plan {} says", stated.name));
  });
}

/// Throws InputError if the log is of another model or of another sequence length.
void check_model(const MeasuredStep& step, const Model& model, const std::string& file) {
  const std::vector<PartTraits> parts = layer_traits(model);
  int count = 0;
  for (const PartTraits& part : parts) count += part.layers;
  const auto check = [&](const char* what, auto logged, double of_model) {
    if (logged && *logged != of_model)
      throw InputError(
          {.file = file}, what,
          fmt::format("the log says {:g}, model {} has {:g}{}", 1.0 * *logged, model.name, of_model,
                      std::string_view(what) == "sequence_length"
                          ? fmt::format(": state --sequence-length {:g}", 1.0 * *logged)
                          : ""));
  };
  check("sequence_length", step.sequence_length, model.sequence_length);
  if (step.rate_each) {
    constexpr double most = 2;  // counts differ in recomputation, attention and frozen weights
    const Flops counted = *step.rate_each * step.step * (step.accelerators / step.global_batch);
    const double share = counted / model_flops(model);
    if (share > most || share < 1 / most)
      throw InputError(
          {.file = file}, "FLOP/s",
          fmt::format("the log counts {} a sample, {} takes {}: it is of another model, or "
                      "of samples of another length (--sequence-length; {:g} is taken)",
                      to_text(counted), model.name, to_text(model_flops(model)),
                      model.sequence_length));
  }
  if (parts.empty()) return;
  check("layers", step.model.layers, count);
  check("hidden", step.model.hidden_size, parts.back().hidden);
  check("heads", step.model.heads, parts.back().heads);
}

}  // namespace

std::vector<MeasuredStep> read_model_log(const std::string& file,
                                         const options::variables_map& given,
                                         const CommonOptions& common, const Model& model,
                                         const KernelProfile& stack, StatedPlan& plan) {
  const std::string text = read_text_file(file);
  const options::variables_map values = with_arguments(given, text, file);
  plan = plan_of(values, common.configs, stack.framework_defaults);
  check_plan_file(plan_of(given, common.configs, stack.framework_defaults), plan, file);
  const auto stated = [&](int Plan::*size) {
    const auto& names = plan.stated;
    const auto& option = plan_option(size);
    const bool is_in_file = std::ranges::find(names, option.name) != names.end();
    return is_in_file || option.is_given(values) ? std::optional(plan.split.*size) : std::nullopt;
  };
  StepReading reading = read_step_log(
      text, file,
      {.accelerators = option::accelerators.as(values, whole<>),
       .global_batch = option::batch.of(values),
       .tensor_parallel_size = stated(&Plan::tensor_parallel_size),
       .pipeline_parallel_size = stated(&Plan::pipeline_parallel_size),
       .context_parallel_size = stated(&Plan::context_parallel_size),
       .gradient_accumulation = plan.micro_batch ? std::nullopt : plan.gradient_accumulation,
       .sequence_length = option::sequence_length.of(values),
       .micro_batch = plan.micro_batch,
       .regime = option::regime.of(values).value_or(RegimeTaken::Longest)});
  for (const std::string& remark : reading.remarks) say(remark);
  const bool is_length_stated = std::ranges::any_of(
      reading.steps, [](const MeasuredStep& step) { return step.sequence_length.has_value(); });
  if (!is_length_stated && model.sequence_length > 0)
    say(fmt::format("{}: the log does not say --sequence-length: that of {}, {:g}, is taken", file,
                    model.name, model.sequence_length));
  for (const MeasuredStep& step : reading.steps) check_model(step, model, file);
  return std::move(reading.steps);
}

StatedPlan with_sizes_of(const MeasuredStep& step, StatedPlan plan) {
  plan.split.tensor_parallel_size = step.tensor_parallel_size;
  plan.split.pipeline_parallel_size = step.pipeline_parallel_size;
  plan.split.context_parallel_size = step.context_parallel_size;
  return plan;
}

options::variables_map with_sequence_length(options::variables_map values,
                                            const std::string& file) {
  if (option::sequence_length.is_given(values)) return values;
  for (const StatedArgument& stated :
       stated_arguments(read_text_file(file), file, std::array<std::string_view, 1>{"seq_length"}))
    values = with_option(std::move(values), option::sequence_length, stated.value);
  return values;
}

}  // namespace app
}  // namespace tofn
