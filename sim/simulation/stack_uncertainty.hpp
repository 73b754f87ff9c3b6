#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sim/kernel/stack_figures.hpp"
#include "sim/simulation/fit_efficiency.hpp"
#include "sim/simulation/step_uncertainty.hpp"

namespace tofn {
inline namespace simulation {

/// Part of a step's error that no figure explains, for stacks without measured steps; chosen by the
/// errors of predictions of left-out models. For other stacks it is fitted, starting from here.
inline constexpr Discrepancy default_discrepancy{.run = 0.03, .plan = 0.04, .model = 0.045};

/// Discrepancy of models with experts, for stacks without measured steps.
inline constexpr Discrepancy default_mixture_discrepancy{.run = 0.04, .plan = 0.08, .model = 0.09};
constexpr const Discrepancy& typical_discrepancy(bool of_mixtures) {
  return of_mixtures ? default_mixture_discrepancy : default_discrepancy;
}

/// Discrepancy with the standard deviation of a run in place of the scale of its t, which is
/// fitted.
Discrepancy with_deviation_of_run(Discrepancy fitted);

/// Per cent by which a step changes if a figure changes by one, indexed as `stack_figures`.
using StackResponse = std::array<double, stack_figures.size()>;

/// A subset of `stack_figures`, by index.
using FigureSet = std::bitset<stack_figures.size()>;
inline const FigureSet every_figure = FigureSet().set();

/// Response of the step to each figure. `seconds`: time of the step by any profile, on chips of
/// this architecture. Figures outside `of` have no response, nor do architecture factors on them.
StackResponse stack_response(const KernelProfile&,
                             const std::function<double(const KernelProfile&)>& seconds,
                             Architecture, FigureSet of = every_figure);

/// Step time by the closed form, exact with one pipeline stage. InputError if the plan does not
/// divide the model.
Seconds closed_step(const StepCase&, const KernelProfile&);

/// Key that is equal for steps that differ only in replicas and micro-batches, whose errors are
/// alike.
std::string plan_key(const StepCase&);

/// Uncertainty of a stack on a chip. The chip's is added to the model's, because both are factors
/// on the whole step. It is larger if no step was measured there, and differs for models with
/// experts.
StackUncertainty uncertainty_on(const KernelProfile&, const Accelerator&, const Model&);

/// Standard deviation of the logarithm of a step, from the uncertainty of its stack.
double stack_deviation(const StackResponse&, const StackUncertainty&);

/// Name of the average of all stacks, which stands for one that is not known.
inline constexpr std::string_view average_stack = "unknown";

/// Scale of the Student's t by which steps of a stack scatter, from their deviation. Errors of the
/// average of all stacks are those of many kinds, and scatter normally: of these it is the scale
/// that gives as wide a 90 % interval.
double scatter_scale(const KernelProfile&, double deviation);

/// Properties that future steps share with a measured one.
enum class Shared { Model, ModelAndPlan };

/// Updates a stack with a measured step of a model: its figures, their remaining uncertainty, and
/// the factor on other steps of that model. By Bayes' rule in logarithms. Requires a fitted
/// covariance and a measured step (both asserted).
KernelProfile sharpened(const KernelProfile&, const StepCase& measured, Shared = Shared::Model);
/// Updates the stack with one step after the other.
KernelProfile sharpened(KernelProfile, std::span<const StepCase> measured);

/// A step with its response to the figures of its stack.
struct RespondingStep {
  StepCase step;
  StackResponse response{};
};

/// Covariance of the logarithms of two steps of one model, from the uncertainty of their stack: its
/// figures and the factor of the model, with the factor of a chip and that of a plan (`plan_key`)
/// where they have it in common. What differs from run to run is left out.
double stack_covariance(const RespondingStep&, const RespondingStep&, const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
