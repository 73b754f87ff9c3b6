#include "sim/simulation/stack_uncertainty.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

constexpr std::size_t count = stack_figures.size();

/// Covariance of each figure with the step.
StackResponse covariance_with(const StackResponse& response, const StackUncertainty& uncertainty) {
  StackResponse product{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j)
      product[i] += uncertainty.covariance[i * count + j] * response[j];
    if (!uncertainty.with_model.empty()) product[i] += uncertainty.with_model[i];
  }
  return product;
}

double dot(const StackResponse& response, const std::vector<double>& figures) {
  return std::inner_product(figures.begin(), figures.end(), response.begin(), 0.0);
}

/// Moves the chip's uncertainty into the model's, because a step measures both together.
void settle(KernelProfile& profile, const Accelerator& accelerator, bool of_mixture) {
  const ChipFactor* const known = profile.find_chip(accelerator, of_mixture);
  const double factor = known == nullptr ? 1 : known->factor;
  std::vector<ChipFactor>& chips = of_mixture ? profile.mixture_chips : profile.chips;
  std::erase_if(chips, [&](const ChipFactor& chip) { return chip.chip == accelerator.name; });
  chips.push_back({.chip = accelerator.name, .factor = factor});
}

/// A measured step: its response to the figures, and what it says of them and of the model.
struct Lesson {
  const StackResponse& response;
  const StackResponse& with_figures;  ///< covariance of each figure with the step
  double with_model = 0;              ///< covariance of the model's factor with the step
  double gain = 0;                    ///< error of the step over its variance
  double variance = 0;
};

/// Moves the factor of a chip that the step did not run on. A settled chip has no covariances.
void learn_chip(ChipFactor& chip, const Lesson& step) {
  const double with_step = dot(step.response, chip.with_figures) + chip.with_model;
  chip.factor *= std::exp(with_step * step.gain);
  chip.deviation = std::sqrt(
      std::max(0.0, chip.deviation * chip.deviation - with_step * with_step / step.variance));
  for (std::size_t i = 0; i < chip.with_figures.size(); ++i)
    chip.with_figures[i] -= with_step * step.with_figures[i] / step.variance;
  chip.with_model -= with_step * step.with_model / step.variance;
}

}  // namespace

Discrepancy with_deviation_of_run(Discrepancy fitted) {
  fitted.run *= std::sqrt(run_freedom / (run_freedom - 2));
  return fitted;
}

StackResponse stack_response(const KernelProfile& profile,
                             const std::function<double(const KernelProfile&)>& seconds,
                             Architecture architecture, FigureSet of) {
  constexpr double by = 0.04;  // large enough to average over tile and wave steps
  const double centre = std::log(seconds(profile));
  StackResponse response{};
  for (std::size_t i = 0; i < count; ++i) {
    if (stack_figures[i].on) {  // multiplies an earlier figure
      if (stack_figures[i].on == architecture) response[i] = response[stack_figures[i].of];
      continue;
    }
    if (!of[i]) continue;
    KernelProfile other = profile;
    stack_figures[i].set(other, stack_figures[i].value(profile) * std::exp(-by));
    response[i] = (centre - std::log(seconds(other))) / by;
  }
  return response;
}

Seconds closed_step(const StepCase& step, const KernelProfile& profile) {
  return closed_form(step_work(step.model, step.plan, step.cluster, profile)).total;
}

std::string plan_key(const StepCase& step) {
  const Plan& plan = step.plan;
  std::string key = fmt::format(
      "{}|{}|{}|{}|{}|{}|{}|{}|{}", step.model.sequence_length, plan.tensor_parallel_size,
      plan.pipeline_parallel_size, plan.context_parallel_size, plan.expert_parallel_size,
      plan.chunks_per_stage, plan.micro_batch, name_of(plan.recompute), name_of(plan.sharded));
  for (const PartTraits& part : layer_traits(step.model))
    key += fmt::format("|{}x{}", part.layers, part.heads);
  return key;
}

StackUncertainty uncertainty_on(const KernelProfile& profile, const Accelerator& accelerator,
                                const Model& of) {
  StackUncertainty uncertainty = profile.uncertainty;
  if (uncertainty.covariance.empty()) return uncertainty;
  const bool of_mixture = has_experts(of);
  if (of_mixture) uncertainty.discrepancy = uncertainty.of_mixtures;
  double& model = uncertainty.discrepancy.model;
  const ChipFactor* chip = profile.find_chip(accelerator, of_mixture);
  if (chip == nullptr) {
    model = of_mixture ? std::hypot(model, mixture_chip_deviation, mixture_on_chip_deviation)
                       : std::hypot(model, chip_deviation,
                                    std::hypot(stack_on_die_deviation, stack_on_chip_deviation));
    return uncertainty;
  }
  model = std::sqrt(
      std::max(0.0, model * model + chip->deviation * chip->deviation + 2 * chip->with_model));
  uncertainty.with_model.resize(count);
  for (std::size_t i = 0; i < chip->with_figures.size(); ++i)
    uncertainty.with_model[i] += chip->with_figures[i];
  return uncertainty;
}

double stack_deviation(const StackResponse& response, const StackUncertainty& uncertainty) {
  const Discrepancy& own = uncertainty.discrepancy;
  double shared = own.model * own.model;  // with other steps of the model, and with the figures
  if (!uncertainty.covariance.empty()) {
    const StackResponse product = covariance_with(response, uncertainty);
    for (std::size_t i = 0; i < count; ++i) shared += response[i] * product[i];
    shared += dot(response, uncertainty.with_model);
  }
  // Covariances between chips are not kept, so that the sum may fall below 0; what differs from run
  // to run remains.
  return std::hypot(own.run, own.plan, std::sqrt(std::max(0.0, shared)));
}

double scatter_scale(const KernelProfile& stack, double deviation) {
  return stack.name == average_stack ? deviation / student_tail : deviation;
}

double stack_covariance(const RespondingStep& a, const RespondingStep& b,
                        const KernelProfile& profile) {
  const Accelerator& chip = a.step.cluster.accelerator;
  const Accelerator& other = b.step.cluster.accelerator;
  const bool of_mixture = has_experts(a.step.model);
  const StackUncertainty& known = profile.uncertainty;
  const StackUncertainty on_a = uncertainty_on(profile, chip, a.step.model);
  const StackUncertainty on_b = uncertainty_on(profile, other, b.step.model);
  double sum = 0;
  if (chip.name == other.name) {
    sum = on_a.discrepancy.model * on_a.discrepancy.model;
  } else {
    const double model = (of_mixture ? known.of_mixtures : known.discrepancy).model;
    sum = model * model;
    for (const Accelerator* each : {&chip, &other})
      if (const ChipFactor* factor = profile.find_chip(*each, of_mixture))
        sum += factor->with_model;
  }
  if (plan_key(a.step) == plan_key(b.step)) sum += on_a.discrepancy.plan * on_a.discrepancy.plan;
  const StackResponse product = covariance_with(b.response, on_b);
  for (std::size_t i = 0; i < count; ++i) sum += a.response[i] * product[i];
  return sum + dot(b.response, on_a.with_model);
}

KernelProfile sharpened(const KernelProfile& profile, const StepCase& measured, Shared shared) {
  assert(measured.measured && !profile.uncertainty.covariance.empty());
  const auto seconds = [&](const KernelProfile& by) { return closed_step(measured, by).base(); };
  const Accelerator& accelerator = measured.cluster.accelerator;
  const StackUncertainty known = uncertainty_on(profile, accelerator, measured.model);
  const StackResponse response = stack_response(profile, seconds, accelerator.architecture);
  const double error = std::log(measured.measured->base() / seconds(profile));
  const double variance =
      std::pow(std::hypot(stack_deviation(response, known), measured.measured_error), 2);
  const double gain = error / variance;
  KernelProfile result = profile;
  ++result.own_steps;
  settle(result, accelerator, has_experts(measured.model));
  StackUncertainty& uncertainty = result.uncertainty = known;
  Discrepancy& left = uncertainty.discrepancy;
  if (shared == Shared::ModelAndPlan) {
    left.model = std::hypot(left.model, left.plan);
    left.plan = 0;
  }
  const StackResponse product = covariance_with(response, known);
  const double own = left.model * left.model + dot(response, known.with_model);
  for (std::vector<ChipFactor>* chips : {&result.chips, &result.mixture_chips})
    for (ChipFactor& chip : *chips) learn_chip(chip, {response, product, own, gain, variance});
  result.model_factor *= std::exp(own * gain);
  left.model = std::sqrt(std::max(0.0, left.model * left.model - own * own / variance));
  uncertainty.of_mixtures = left;  // the measurement is of this model
  uncertainty.with_model.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const StackFigure& figure = stack_figures[i];
    figure.set(result, std::min(figure.most, figure.value(profile) * std::exp(product[i] * gain)));
    uncertainty.with_model[i] -= product[i] * own / variance;
    for (std::size_t j = 0; j < count; ++j)
      uncertainty.covariance[i * count + j] -= product[i] * product[j] / variance;
  }
  return result;
}

KernelProfile sharpened(KernelProfile profile, std::span<const StepCase> measured) {
  for (const StepCase& step : measured) profile = sharpened(profile, step);
  return profile;
}

}  // namespace simulation
}  // namespace tofn
