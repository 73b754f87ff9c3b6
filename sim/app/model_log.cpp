#include "sim/app/model_log.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/app/job_options.hpp"
#include "sim/app/log_arguments.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/text/stated_arguments.hpp"

namespace tofn {
inline namespace app {
namespace {

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
  const options::variables_map values = with_log_arguments(given, text, file);
  const StatedPlan before = plan_of(given, common.configs, stack.framework_defaults, plan);
  plan = plan_of(values, common.configs, stack.framework_defaults, plan);
  check_plan_file(before, plan, file);
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
       .model_length =
           model.sequence_length > 0 ? std::optional(model.sequence_length) : std::nullopt,
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
