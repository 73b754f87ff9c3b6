#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <span>
#include <string>

#include "sim/kernel/stack_figures.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace simulation {

/// What no figure explains of the steps of a stack that no step is known of; chosen by what
/// predictions of left-out models missed. Of others it is learnt, from here on.
inline constexpr Discrepancy default_discrepancy{.run = 0.03, .plan = 0.04, .model = 0.045};

/// The same of models with experts.
inline constexpr Discrepancy default_mixture_discrepancy{.run = 0.04, .plan = 0.08, .model = 0.09};
constexpr const Discrepancy& usual_discrepancy(bool of_mixtures) {
  return of_mixtures ? default_mixture_discrepancy : default_discrepancy;
}

/// Of each of `stack_figures`: by how many per cent a step changes where the figure does by one.
using StackResponse = std::array<double, stack_figures.size()>;

/// Some of `stack_figures`, by their places.
using FigureSet = std::bitset<stack_figures.size()>;
inline const FigureSet every_figure = FigureSet().set();

/// `seconds`: of the step by any profile, on chips of this architecture. Figures that are not `of`
/// the set have no response, and neither have the architectures' factors on them.
StackResponse stack_response(const KernelProfile&,
                             const std::function<double(const KernelProfile&)>& seconds,
                             Architecture, FigureSet of = every_figure);

/// Without events, exact with one pipeline stage. InputError where the plan does not divide the
/// model.
Seconds closed_step(const StepCase&, const KernelProfile&);

/// Equal of steps that differ in their replicas and micro-batches alone: they err alike.
std::string plan_key(const StepCase&);

/// The uncertainty of a stack on a chip: what is not known of the chip is added to what is not
/// known of the model, for both are factors on the whole step. More where no step was measured
/// there, and of a model with experts what is not known of those.
StackUncertainty uncertainty_on(const KernelProfile&, const Accelerator&, const Model&);

/// Standard deviation of the logarithm of a step, from what is not known of its stack.
double stack_deviation(const StackResponse&, const StackUncertainty&);

/// What steps to come share with one that was measured.
enum class Shared { Model, ModelAndPlan };

/// The stack after a step of the model in question was measured: its figures, what is still in
/// doubt of them, and the factor on other steps of that model. Bayes' rule in logarithms; the
/// covariance must be learnt (asserted), the step measured.
KernelProfile sharpened(const KernelProfile&, const StepCase& measured, Shared = Shared::Model);
/// After one and then the next.
KernelProfile sharpened(KernelProfile, std::span<const StepCase> measured);

}  // namespace simulation
}  // namespace tofn
