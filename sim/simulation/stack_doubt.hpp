#pragma once

#include <array>
#include <functional>
#include <span>

#include "sim/kernel/stack_figures.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace simulation {

/// Standard deviations of the logarithm of a step that no figure explains, chosen by what
/// predictions of left-out models missed: between runs of one plan (repeats of published plans
/// scatter by 6 % from day to day), and of a model on a stack that other models taught.
inline constexpr double step_noise = 0.05;
inline constexpr double model_deviation = 0.08;

/// Of each of `stack_figures`: by how many per cent a step changes where the figure does by one.
using StackResponse = std::array<double, stack_figures.size()>;

/// `seconds`: of the step by any profile.
StackResponse stack_response(const KernelProfile&,
                             const std::function<double(const KernelProfile&)>& seconds);

/// Without events, exact with one pipeline stage. InputError where the plan does not divide the
/// model.
Seconds closed_step(const StepCase&, const KernelProfile&);

/// Standard deviation of the logarithm of a step, from what is not known of its stack.
double stack_deviation(const StackResponse&, const StackDoubt&);

/// The stack after steps of one model on one chip were measured: its figures, what is still in
/// doubt of them, and the factor on other steps of that model. Bayes' rule in logarithms, linear
/// about the stack as it was; the covariance must be learnt, the steps measured (both asserted).
KernelProfile sharpened(const KernelProfile&, std::span<const StepCase> measured);

}  // namespace simulation
}  // namespace tofn
