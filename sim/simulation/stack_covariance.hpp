#pragma once

#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace simulation {

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
