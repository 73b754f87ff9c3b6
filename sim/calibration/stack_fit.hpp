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

/// How far off a step is, and how it changes with the figures of its stack.
struct StepLesson {
  double error = 0;  ///< log(measured / predicted)
  StackResponse response{};
};

/// A measured step, as its stack runs it.
struct ObservedStep {
  StepCase step;      ///< `measured` is stated
  std::string stack;  ///< name of a profile
  std::string model;  ///< rows of one stack, model and chip err together, those of a plan more so
  double noise = 1;   ///< beside that of rows that state all, whose deviation is `step_noise`
  /// Where every fit begins: known beforehand, many fits take it from here.
  std::optional<StepLesson> at_default_figures{};
};

/// By a profile of its stack with the usual figures.
StepLesson lesson_at_default_figures(const ObservedStep&, KernelProfile);

/// Which steps a stack's figures are fitted to: its own and its family's, or its family's alone.
enum class FitScope { Stack, Family };

/// Steps that share one discrepancy: those of a stack, with experts or without.
struct DiscrepancyGroup {
  std::string stack;
  bool of_mixtures = false;
  auto operator<=>(const DiscrepancyGroup&) const = default;
};

/// What steps teach of all stacks at once: a figure is the sum, in logarithms, of the mean of all
/// stacks, what its family differs by, and what it differs by itself, each with a normal prior
/// (`stack_figures`); beside them stands what a chip differs by, and a stack on it. Least squares
/// of log(measured / predicted) by Gauss-Newton over the closed form of each step, with what no
/// figure explains learnt beside them (`RelatedSteps`).
class StackFit {
 public:
  /// `stacks`: those that steps name, with all figures that are not learnt.
  StackFit(std::span<const ObservedStep>, std::span<const KernelProfile> stacks);

  /// The profile with its learnt figures and their doubt. Of a stack that no step names, its
  /// family's; of a family that none names, the mean of all stacks with the spread over them.
  KernelProfile learnt(KernelProfile, FitScope = FitScope::Stack) const;

  /// By what each step, in their order, moved the logarithm of a figure of that stack: their sum is
  /// what was learnt less what is usual, but for the figure's bound.
  std::vector<double> moved_by(const KernelProfile&, std::size_t figure, FitScope) const;

 private:
  class Normal;
  /// What pulled at the figures when they came to rest.
  struct Pull {
    std::array<std::size_t, 3> blocks{};
    std::vector<std::size_t> chips{};
    StackResponse response{};
    double error = 0;  ///< weighted by what is known of it
  };
  /// The effects that a figure of this stack is the sum of: first ones of their blocks.
  std::vector<std::size_t> blocks_of(const KernelProfile&, FitScope) const;
  std::vector<ChipFactor> chips_of(const std::string& stack, std::span<const std::size_t> blocks,
                                   FitScope) const;
  std::vector<ChipFactor> mixture_chips_of(const std::string& stack,
                                           std::span<const std::size_t> blocks, FitScope) const;
  /// Factor that the sum of these effects makes; `variance` is what else is not known of it.
  ChipFactor chip_factor(const std::string& chip, std::span<const std::size_t> effects,
                         std::span<const std::size_t> blocks, double variance) const;
  double covariance(std::size_t a, std::size_t b) const {
    return covariance_[a * centre_.size() + b];
  }

  std::map<std::string, std::size_t> families_;
  std::map<std::string, std::size_t> stacks_;
  std::map<std::string, std::size_t> chips_;          ///< effect of each
  std::map<std::string, std::size_t> mixture_chips_;  ///< likewise of models with experts there
  /// Effect of each stack on each chip, for models with experts.
  std::map<std::pair<std::string, std::string>, std::size_t> mixtures_on_chip_;
  /// Of a stack on what a die has, and beside it on a chip.
  std::map<std::pair<std::string, std::string>, std::size_t> stacks_on_die_, stacks_on_chip_;
  std::map<std::string, std::string> dies_;  ///< of chips
  std::map<std::string, int> steps_;
  std::map<DiscrepancyGroup, Discrepancy> discrepancies_;
  std::vector<Pull> pulls_;
  std::vector<double> centre_;
  std::vector<double> covariance_;  ///< of `centre_`, row by row
};

}  // namespace calibration
}  // namespace tofn
