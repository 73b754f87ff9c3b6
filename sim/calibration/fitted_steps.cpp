#include "sim/calibration/fitted_steps.hpp"

#include <algorithm>
#include <cmath>

namespace tofn {
inline namespace calibration {
namespace {

/// Figures that are fitted to the step: those of models with experts, or all others. If a mixture
/// is slow, its own figures explain it, not those of dense layers. Figures of kernels that the step
/// is known to lack need no new response.
FigureSet figures_of(const FittedStep& step) {
  FigureSet figures;
  for (std::size_t i = 0; i < figure_count; ++i) {
    const bool is_unfelt = step.response && stack_figures[i].of_some && (*step.response)[i] == 0;
    figures[i] = stack_figures[i].of_mixtures == step.is_of_mixture() && !is_unfelt;
  }
  return figures;
}

}  // namespace

void set_figures(KernelProfile& profile, const std::array<double, figure_count>& logarithms) {
  profile.chips.clear();
  profile.mixture_chips.clear();
  for (std::size_t i = 0; i < figure_count; ++i)
    stack_figures[i].set(profile, stack_figures[i].typical * std::exp(logarithms[i]));
}

void FittedStep::evaluate(const KernelProfile& by, std::span<const double> effects,
                          bool with_response) {
  std::array<double, figure_count> logarithms{};
  for (const std::size_t block : blocks)
    for (std::size_t i = 0; i < figure_count; ++i) logarithms[i] += effects[block + i];
  KernelProfile profile = by;
  set_figures(profile, logarithms);
  error = std::log(*step.measured / closed_step(step, profile));
  for (const std::size_t chip : chips) error -= effects[chip];
  if (with_response) response = stack_response(profile, step, figures_of(*this));
}

void FittedStep::evaluate_at_default_figures(const KernelProfile& by) {
  evaluate(by, std::array<double, figure_count>{}, true);
}

const KernelProfile& stack_of(const FittedStep& step, std::span<const KernelProfile> stacks) {
  return *std::ranges::find(stacks, step.stack, &KernelProfile::name);
}

}  // namespace calibration
}  // namespace tofn
