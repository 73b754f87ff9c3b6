#pragma once

#include <array>
#include <compare>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/simulation/fit_efficiency.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace calibration {

/// Error of a step, and its response to the figures of its stack.
struct StepLesson {
  double error = 0;  ///< log(measured / predicted)
  StackResponse response{};
};

/// A measured step, as its stack runs it.
struct ObservedStep {
  StepCase step;      ///< with `measured` set
  std::string stack;  ///< name of a profile
  std::string model;  ///< errors of one stack, model and chip are correlated, those of one plan
                      ///< more so
  double noise = 1;   ///< relative to rows that state all settings, whose deviation is `step_noise`
  /// The start of every fit, computed once for many fits.
  std::optional<StepLesson> at_default_figures{};
};

/// Error and response of a step under its stack's profile with default figures.
StepLesson lesson_at_default_figures(const ObservedStep&, KernelProfile);

/// Steps that a stack's figures are fitted to: its own and its family's, or only its family's.
enum class FitScope { Stack, Family };

/// Steps that share one discrepancy: those of a stack, with experts or without.
struct DiscrepancyGroup {
  std::string stack;
  bool of_mixtures = false;
  auto operator<=>(const DiscrepancyGroup&) const = default;
};

/// Contribution of a step to the figures at the solution.
struct StackPull {
  std::array<std::size_t, 3> blocks{};
  std::vector<std::size_t> chips{};
  StackResponse response{};
  double error = 0;  ///< weighted by the inverse covariance
};

/// Fits the figures of all stacks at once. The logarithm of a figure is the sum of the mean of all
/// stacks, the family's difference and the stack's own, each with a normal prior (`stack_figures`).
/// Chips, and stacks on a chip, have effects too. Least squares of log(measured / predicted) by
/// Gauss-Newton over the closed form of each step, together with the discrepancies
/// (`RelatedSteps`).
class StackFit {
 public:
  /// `stacks`: the stacks that steps name, with all figures that are not fitted.
  StackFit(std::span<const ObservedStep>, std::span<const KernelProfile> stacks);

  /// The profile with its fitted figures and their uncertainty. A stack without steps gets its
  /// family's figures. A family without steps gets the mean of all stacks, with the spread over
  /// them.
  KernelProfile learned(KernelProfile, FitScope = FitScope::Stack) const;

  /// Contribution of each step, in their order, to the logarithm of a stack's figure. Their sum is
  /// the fitted value less the default, except for the figure's bound.
  std::vector<double> moved_by(const KernelProfile&, std::size_t figure, FitScope) const;

 private:
  /// First effects of the blocks whose sum is a figure of this stack.
  std::vector<std::size_t> blocks_of(const KernelProfile&, FitScope) const;
  std::vector<ChipFactor> chips_of(const std::string& stack, std::span<const std::size_t> blocks,
                                   FitScope) const;
  std::vector<ChipFactor> mixture_chips_of(const std::string& stack,
                                           std::span<const std::size_t> blocks, FitScope) const;
  /// Factor from the sum of these effects; `variance` is the uncertainty beyond them.
  ChipFactor chip_factor(const std::string& chip, std::span<const std::size_t> effects,
                         std::span<const std::size_t> blocks, double variance) const;
  double covariance(std::size_t a, std::size_t b) const {
    return covariance_[a * centre_.size() + b];
  }

  std::map<std::string, std::size_t> families_;
  std::map<std::string, std::size_t> stacks_;
  std::map<std::string, std::size_t> chips_;          ///< effect of each chip
  std::map<std::string, std::size_t> mixture_chips_;  ///< effect of each chip, for models with
                                                      ///< experts
  /// Effect of each stack on each chip, for models with experts.
  std::map<std::pair<std::string, std::string>, std::size_t> mixtures_on_chip_;
  /// Effects of a stack on a die, and beyond that on a chip.
  std::map<std::pair<std::string, std::string>, std::size_t> stacks_on_die_, stacks_on_chip_;
  std::map<std::string, std::string> dies_;  ///< die of each chip
  std::map<std::string, int> steps_;
  std::map<DiscrepancyGroup, Discrepancy> discrepancies_;
  std::vector<StackPull> pulls_;
  std::vector<double> centre_;
  std::vector<double> covariance_;  ///< covariance of `centre_`, row by row
};

}  // namespace calibration
}  // namespace tofn
