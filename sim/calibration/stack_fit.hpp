#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/calibration/fitted_steps.hpp"

namespace tofn {
inline namespace calibration {

/// Steps that a stack's figures are fitted to: its own and its family's, or only its family's.
enum class FitScope { Stack, Family };

/// Fits the figures of all stacks at once. The logarithm of a figure is the sum of the mean of all
/// stacks, the family's difference and the stack's own, each with a normal prior (`stack_figures`).
/// Chips, and stacks on a chip, have effects too. Least squares of log(measured / predicted) by
/// Gauss-Newton over the closed form of each step, together with the discrepancies
/// (`RelatedSteps`).
class StackFit {
 public:
  /// `stacks`: the stacks that steps name, with all figures that are not fitted. Steps that were
  /// evaluated at default figures are not evaluated there again.
  StackFit(std::vector<FittedStep>, std::span<const KernelProfile> stacks);

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
  std::map<DiscrepancyGroup, Discrepancy> discrepancies_;
  std::vector<FittedStep> steps_;
  std::vector<double> centre_;
  std::vector<double> covariance_;  ///< covariance of `centre_`, row by row
};

}  // namespace calibration
}  // namespace tofn
