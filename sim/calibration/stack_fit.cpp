#include "sim/calibration/stack_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <Eigen/Dense>

#include "sim/calibration/stack_equations.hpp"

namespace tofn {
inline namespace calibration {
StackFit::StackFit(std::vector<FittedStep> steps, std::span<const KernelProfile> stacks)
    : steps_(std::move(steps)) {
  std::vector<double> priors;
  const auto add_block = [&](double StackFigure::*spread) {
    for (const StackFigure& figure : stack_figures) priors.push_back(figure.*spread);
    return priors.size() - figure_count;
  };
  add_block(&StackFigure::all);
  for (const KernelProfile& stack : stacks)
    if (!families_.contains(stack.own_family()))
      families_[stack.own_family()] = add_block(&StackFigure::family);
  for (const KernelProfile& stack : stacks) stacks_[stack.name] = add_block(&StackFigure::stack);

  const auto effect_of = [&](auto& effects, const auto& key, double deviation) {
    const auto [place, is_new] = effects.try_emplace(key, priors.size());
    if (is_new) priors.push_back(deviation);
    return place->second;
  };
  for (FittedStep& step : steps_) {
    const KernelProfile& stack = stack_of(step, stacks);
    const std::string& chip = step.step.cluster.accelerator.name;
    step.blocks = {0, families_.at(stack.own_family()), stacks_.at(stack.name)};
    if (step.is_of_mixture()) {
      step.chips = {
          effect_of(mixture_chips_, chip, mixture_chip_deviation),
          effect_of(mixtures_on_chip_, std::pair(step.stack, chip), mixture_on_chip_deviation)};
      continue;
    }
    const std::string& die = dies_[chip] = step.step.cluster.accelerator.own_die();
    step.chips = {effect_of(chips_, chip, chip_deviation),
                  effect_of(stacks_on_die_, std::pair(step.stack, die), stack_on_die_deviation),
                  effect_of(stacks_on_chip_, std::pair(step.stack, chip), stack_on_chip_deviation)};
  }
  StackEquations normal(steps_, stacks, priors);
  const Eigen::VectorXd effects = normal.fit();
  discrepancies_ = normal.discrepancies();
  const Eigen::MatrixXd all = normal.covariance();
  centre_.assign(effects.data(), effects.data() + effects.size());
  covariance_.assign(all.data(), all.data() + all.size());
}

std::vector<std::size_t> StackFit::blocks_of(const KernelProfile& profile, FitScope scope) const {
  std::vector<std::size_t> blocks{0};
  if (const auto family = families_.find(profile.own_family()); family != families_.end())
    blocks.push_back(family->second);
  const auto stack = stacks_.find(profile.name);
  if (scope == FitScope::Stack && stack != stacks_.end()) blocks.push_back(stack->second);
  return blocks;
}

KernelProfile StackFit::learned(KernelProfile profile, FitScope scope) const {
  const std::vector<std::size_t> blocks = blocks_of(profile, scope);
  const bool is_own = scope == FitScope::Stack && stacks_.contains(profile.name);
  const bool is_of_family = families_.contains(profile.own_family());
  std::array<double, figure_count> logarithms{};
  profile.uncertainty = {.covariance = std::vector<double>(figure_count * figure_count)};
  for (std::size_t i = 0; i < figure_count; ++i) {
    for (const std::size_t block : blocks) logarithms[i] += centre_[block + i];
    double* row = &profile.uncertainty.covariance[i * figure_count];
    for (std::size_t j = 0; j < figure_count; ++j)
      for (const std::size_t a : blocks)
        for (const std::size_t b : blocks) row[j] += covariance(a + i, b + j);
    if (!is_own) row[i] += std::pow(stack_figures[i].stack, 2);
    if (!is_of_family) row[i] += std::pow(stack_figures[i].family, 2);
  }
  set_figures(profile, logarithms);
  for (const StackFigure& figure : stack_figures)
    figure.set(profile, std::min(figure.most, figure.value(profile)));
  profile.chips = chips_of(profile.name, blocks, scope);
  profile.mixture_chips = mixture_chips_of(profile.name, blocks, scope);
  profile.steps = 0;
  if (is_own)
    for (const FittedStep& step : steps_) profile.steps += step.stack == profile.name ? 1 : 0;
  const auto known = [&](bool of_mixtures) {
    const auto found = discrepancies_.find({.stack = profile.name, .of_mixtures = of_mixtures});
    return with_deviation_of_run(
        is_own && found != discrepancies_.end() ? found->second : typical_discrepancy(of_mixtures));
  };
  profile.uncertainty.discrepancy = known(false);
  profile.uncertainty.of_mixtures = known(true);
  return profile;
}

std::vector<ChipFactor> StackFit::chips_of(const std::string& stack,
                                           std::span<const std::size_t> blocks,
                                           FitScope scope) const {
  std::vector<ChipFactor> all;
  const auto own = [&](const auto& effects, const std::string& key) -> std::vector<std::size_t> {
    const auto found = effects.find({stack, key});
    if (scope != FitScope::Stack || found == effects.end()) return {};
    return {found->second};
  };
  const auto square = [](double value) { return value * value; };
  std::set<std::string> dies;
  for (const auto& [chip, of_all] : chips_) {
    std::vector<std::size_t> effects{of_all};
    double variance = 0;
    const auto take = [&](const std::vector<std::size_t>& more, double deviation) {
      effects.insert(effects.end(), more.begin(), more.end());
      if (more.empty()) variance += square(deviation);
    };
    const std::string& die = dies_.at(chip);
    take(own(stacks_on_die_, die), stack_on_die_deviation);
    take(own(stacks_on_chip_, chip), stack_on_chip_deviation);
    all.push_back(chip_factor(chip, effects, blocks, variance));
    if (die == chip || !dies.insert(die).second) continue;
    // Effects of another accelerator on the die are not known.
    if (const auto of_die = own(stacks_on_die_, die); !of_die.empty())
      all.push_back(chip_factor(die, of_die, blocks,
                                square(chip_deviation) + square(stack_on_chip_deviation)));
  }
  return all;
}

std::vector<ChipFactor> StackFit::mixture_chips_of(const std::string& stack,
                                                   std::span<const std::size_t> blocks,
                                                   FitScope scope) const {
  std::vector<ChipFactor> all;
  for (const auto& [chip, of_all] : mixture_chips_) {
    std::vector<std::size_t> effects{of_all};
    const auto own = mixtures_on_chip_.find({stack, chip});
    const bool is_known = scope == FitScope::Stack && own != mixtures_on_chip_.end();
    if (is_known) effects.push_back(own->second);
    all.push_back(
        chip_factor(chip, effects, blocks, is_known ? 0 : std::pow(mixture_on_chip_deviation, 2)));
  }
  return all;
}

ChipFactor StackFit::chip_factor(const std::string& chip, std::span<const std::size_t> effects,
                                 std::span<const std::size_t> blocks, double variance) const {
  double logarithm = 0;
  std::vector<double> with_figures(figure_count);
  for (const std::size_t a : effects) {
    logarithm += centre_[a];
    for (const std::size_t b : effects) variance += covariance(a, b);
    for (std::size_t i = 0; i < figure_count; ++i)
      for (const std::size_t block : blocks) with_figures[i] += covariance(a, block + i);
  }
  return {chip, std::exp(logarithm), std::sqrt(variance), std::move(with_figures)};
}

std::vector<double> StackFit::moved_by(const KernelProfile& profile, std::size_t figure,
                                       FitScope scope) const {
  const std::vector<std::size_t> blocks = blocks_of(profile, scope);
  std::vector<double> moves;
  for (const FittedStep& step : steps_) {
    double with_step = 0;  // covariance of the figure with the step
    for (const std::size_t a : blocks) {
      for (const std::size_t b : step.blocks)
        for (std::size_t k = 0; k < figure_count; ++k)
          with_step += covariance(a + figure, b + k) * (*step.response)[k];
      for (const std::size_t chip : step.chips) with_step += covariance(a + figure, chip);
    }
    moves.push_back(with_step * step.pull);
  }
  return moves;
}

}  // namespace calibration
}  // namespace tofn
