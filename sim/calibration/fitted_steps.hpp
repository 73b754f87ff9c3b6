#pragma once

#include <array>
#include <compare>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/simulation/fit_efficiency.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace calibration {

/// Number of figures of a stack: the length of a block of effects.
inline constexpr std::size_t figure_count = stack_figures.size();

/// Sets the profile's figures to exp(logarithms) times the defaults, without factors of chips.
void set_figures(KernelProfile&, const std::array<double, figure_count>& logarithms);

/// Steps that share one discrepancy: those of a stack, with experts or without.
struct DiscrepancyGroup {
  std::string stack;
  bool of_mixtures = false;
  auto operator<=>(const DiscrepancyGroup&) const = default;
};

/// A measured step as its stack runs it, with the effects that its figures are sums of, and its
/// error and response where they were last evaluated.
struct FittedStep {
  StepCase step;      ///< with `measured` set
  std::string stack;  ///< name of a profile
  std::string model;  ///< errors of one stack, model and chip are correlated, those of one plan
                      ///< more so
  double noise = 1;   ///< relative to rows that state all settings, whose deviation is `step_noise`
  std::array<std::size_t, 3> blocks{};  ///< first effect of the mean, of the family, of the stack
  std::vector<std::size_t> chips{};     ///< effects of the chip, of the stack on its die, and of
                                        ///< the stack on it
  double error = 0;                     ///< log(measured / predicted)
  std::optional<StackResponse> response{};  ///< to the figures; absent: never evaluated
  double pull = 0;  ///< error at the solution, weighted by the inverse covariance

  bool is_of_mixture() const { return has_experts(step.model); }
  DiscrepancyGroup group() const { return {.stack = stack, .of_mixtures = is_of_mixture()}; }

  /// Sets the error at these effects; `with_response`: the response too. Figures that are not
  /// fitted are those of the profile.
  void evaluate(const KernelProfile&, std::span<const double> effects, bool with_response);
  /// Sets the error and response at default figures, which every fit starts from.
  void evaluate_at_default_figures(const KernelProfile&);
};

/// Profile of a step's stack, which is one of these.
const KernelProfile& stack_of(const FittedStep&, std::span<const KernelProfile> stacks);

}  // namespace calibration
}  // namespace tofn
