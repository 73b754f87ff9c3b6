#pragma once

#include <array>
#include <vector>

#include <Eigen/Dense>

#include "sim/calibration/related_steps.hpp"
#include "sim/calibration/stack_fit.hpp"

// Steps of a fit with the effects that their figures are sums of.

namespace tofn {
inline namespace calibration {

/// Number of figures of a stack: the length of a block of effects.
inline constexpr std::size_t figure_count = stack_figures.size();

/// Figures that are fitted to steps of models with experts, or to all other steps. If a mixture is
/// slow, its own figures explain it, not those of dense layers.
FigureSet figures_of_steps(bool with_experts);

/// Sets the profile's figures to exp(logarithms) times the defaults, without factors of chips.
void set_figures(KernelProfile&, const std::array<double, figure_count>& logarithms);

/// A step with the effects that its figures are sums of.
struct FittedStep {
  const ObservedStep* observed = nullptr;
  const KernelProfile* profile = nullptr;
  std::array<std::size_t, 3> blocks{};  ///< first effect of the mean, of the family, of the stack
  std::vector<std::size_t> chips{};     ///< effects of the chip, of the stack on its die, and of
                                        ///< the stack on it
  FigureSet figures{};                  ///< those that are fitted to it
  StepLesson lesson{};

  bool is_of_mixture() const { return has_experts(observed->step.model); }
  DiscrepancyGroup group() const {
    return {.stack = observed->stack, .of_mixtures = is_of_mixture()};
  }

  /// Sets the lesson at these effects; `with_response`: its response to the figures too.
  void evaluate(const Eigen::VectorXd& effects, bool with_response);

 private:
  /// Drops figures of kernels that the step lacks, which need no new response.
  void leave_out_unfelt();
};

/// Evaluates all steps, in parallel: a fit over 400 steps takes a second of one core.
void evaluate(std::vector<FittedStep>&, const Eigen::VectorXd& effects, bool with_responses);

/// Groups of steps of one stack, model and chip, with the places of each plan's steps.
std::vector<RelatedSteps> related_steps_of(const std::vector<FittedStep>&);

}  // namespace calibration
}  // namespace tofn
