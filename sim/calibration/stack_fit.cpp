#include "sim/calibration/stack_fit.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <set>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "sim/calibration/related_steps.hpp"
#include "sim/core/parallel.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace calibration {
namespace {

constexpr std::size_t count = stack_figures.size();

Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

std::string family_of(const KernelProfile& profile) {
  return profile.family.empty() ? profile.name : profile.family;
}

void set_figures(KernelProfile& profile, const std::array<double, count>& logarithms) {
  profile.chips.clear();
  profile.mixture_chips.clear();
  for (std::size_t i = 0; i < count; ++i)
    stack_figures[i].set(profile, stack_figures[i].usual * std::exp(logarithms[i]));
}

/// Figures that are fitted to steps of models with experts, or to all other steps. If a mixture is
/// slow, its own figures explain it, not those of dense layers.
FigureSet figures_taught(bool by_mixture) {
  FigureSet figures;
  for (std::size_t i = 0; i < count; ++i) figures[i] = stack_figures[i].of_mixtures == by_mixture;
  return figures;
}

double error_of(const ObservedStep& observed, const KernelProfile& by) {
  return std::log(observed.step.measured->base() / closed_step(observed.step, by).base());
}

StackResponse response_of(const ObservedStep& observed, const KernelProfile& by,
                          FigureSet figures) {
  const StepCase& step = observed.step;
  return stack_response(
      by, [&](const KernelProfile& of) { return closed_step(step, of).base(); },
      step.cluster.accelerator.architecture, figures);
}

/// A step with the effects that its figures are sums of.
struct Row {
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

  void evaluate(const Eigen::VectorXd& effects, bool with_response) {
    if (with_response && observed->at_default_figures && effects.isZero(0)) {
      lesson = *observed->at_default_figures;
      leave_out_unfelt();
      return;
    }
    std::array<double, count> logarithms{};
    for (const std::size_t block : blocks)
      for (std::size_t i = 0; i < count; ++i) logarithms[i] += effects[at(block + i)];
    KernelProfile by = *profile;
    set_figures(by, logarithms);
    lesson.error = error_of(*observed, by);
    for (const std::size_t chip : chips) lesson.error -= effects[at(chip)];
    if (!with_response) return;
    lesson.response = response_of(*observed, by, figures);
    leave_out_unfelt();
  }

  /// Drops figures of kernels that the step lacks, which need no new response.
  void leave_out_unfelt() {
    for (std::size_t i = 0; i < count; ++i)
      if (stack_figures[i].of_some && lesson.response[i] == 0) figures[i] = false;
  }
};

/// Evaluates rows in parallel: a fit over 400 steps takes a second of one core.
void evaluate(std::vector<Row>& rows, const Eigen::VectorXd& effects, bool with_responses) {
  constexpr std::size_t parts = 2;
  in_parallel(parts, [&](std::size_t first) {
    for (std::size_t i = first; i < rows.size(); i += parts)
      rows[i].evaluate(effects, with_responses);
  });
}

std::vector<RelatedSteps> related_steps_of(const std::vector<Row>& rows) {
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> models;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ObservedStep& step = *rows[i].observed;
    models[fmt::format("{}|{}|{}", step.stack, step.model, step.step.cluster.accelerator.name)]
          [plan_key(step.step)]
              .push_back(i);
  }
  std::vector<RelatedSteps> all;
  for (const auto& [model, plans] : models) {
    RelatedSteps related;
    for (const auto& [plan, steps] : plans) {
      related.plans.emplace_back();
      for (const std::size_t step : steps) {
        related.plans.back().push_back(related.steps.size());
        related.steps.push_back(step);
      }
    }
    related.noise.resize(at(related.steps.size()));
    for (std::size_t i = 0; i < related.steps.size(); ++i)
      related.noise[at(i)] = rows[related.steps[i]].observed->noise;
    all.push_back(std::move(related));
  }
  return all;
}

}  // namespace

StepLesson lesson_at_default_figures(const ObservedStep& step, KernelProfile profile) {
  set_figures(profile, {});
  return {.error = error_of(step, profile),
          .response = response_of(step, profile, figures_taught(has_experts(step.step.model)))};
}

/// Normal equations of all effects, and the discrepancy that no effect explains.
class StackFit::Normal {
 public:
  Normal(std::vector<Row> rows, const std::vector<double>& priors)
      : rows_(std::move(rows)), related_(related_steps_of(rows_)) {
    precision_.resize(at(priors.size()));
    // An effect without spread stays at 0.
    for (std::size_t i = 0; i < priors.size(); ++i)
      precision_[at(i)] = 1 / std::max(1e-12, priors[i] * priors[i]);
    for (const RelatedSteps& related : related_) {
      weights_.emplace_back(Eigen::VectorXd::Ones(related.noise.size()));
      discrepancies_[group_of(related)] = usual_discrepancy(group_of(related).of_mixtures);
    }
  }

  void fit(Eigen::VectorXd& effects) {
    constexpr int iterations = 8;
    constexpr int with_default_discrepancy = 4;
    for (int i = 0; i < iterations; ++i) {
      evaluate(rows_, effects, i < with_default_discrepancy);  // responses hardly change after that
      before_ = effects;
      Eigen::VectorXd change = solved(effects);
      constexpr double longest = 0.7;  // responses are valid about that far
      change *= std::min(1.0, longest / std::max(longest, change.cwiseAbs().maxCoeff()));
      effects += change;
      learn_discrepancies(change, i + 1 >= with_default_discrepancy && i + 1 < iterations);
    }
  }

  Eigen::MatrixXd covariance() const {
    return solved_.solve(Eigen::MatrixXd::Identity(precision_.size(), precision_.size()));
  }
  const std::map<DiscrepancyGroup, Discrepancy>& discrepancies() const { return discrepancies_; }

  std::vector<Pull> pulls() const {
    std::vector<Pull> all(rows_.size());
    for (std::size_t k = 0; k < related_.size(); ++k) {
      const Eigen::VectorXd pull =
          inverses_[k] * (errors(related_[k]) + moved(related_[k], before_));
      for (std::size_t i = 0; i < related_[k].steps.size(); ++i) {
        const Row& row = rows_[related_[k].steps[i]];
        all[related_[k].steps[i]] = {row.blocks, row.chips, row.lesson.response, pull[at(i)]};
      }
    }
    return all;
  }

 private:
  DiscrepancyGroup group_of(const RelatedSteps& related) const {
    return rows_[related.steps.front()].group();
  }
  Eigen::VectorXd errors(const RelatedSteps& related) const {
    Eigen::VectorXd errors(related.noise.size());
    for (std::size_t i = 0; i < related.steps.size(); ++i)
      errors[at(i)] = rows_[related.steps[i]].lesson.error;
    return errors;
  }
  /// Indices of the effects that act on steps of one stack, model and chip: few of all.
  std::vector<Eigen::Index> felt_by(const RelatedSteps& related) const {
    const Row& row = rows_[related.steps.front()];
    std::vector<Eigen::Index> felt;
    for (const std::size_t block : row.blocks)
      for (std::size_t k = 0; k < count; ++k) felt.push_back(at(block + k));
    for (const std::size_t chip : row.chips) felt.push_back(at(chip));
    return felt;
  }
  /// [step][effect that acts on it]
  Eigen::MatrixXd gradients(const RelatedSteps& related) const {
    const Row& first = rows_[related.steps.front()];
    Eigen::MatrixXd gradients = Eigen::MatrixXd::Ones(
        related.noise.size(), at(first.blocks.size() * count + first.chips.size()));
    for (std::size_t i = 0; i < related.steps.size(); ++i) {
      assert(rows_[related.steps[i]].blocks == first.blocks &&
             rows_[related.steps[i]].chips == first.chips);
      const StackResponse& taught = rows_[related.steps[i]].lesson.response;
      for (std::size_t block = 0; block < first.blocks.size(); ++block)
        for (std::size_t k = 0; k < count; ++k) gradients(at(i), at(block * count + k)) = taught[k];
    }
    return gradients;
  }
  /// Change of these steps' errors that a change of all effects makes.
  Eigen::VectorXd moved(const RelatedSteps& related, const Eigen::VectorXd& change) const {
    const std::vector<Eigen::Index> felt = felt_by(related);
    Eigen::VectorXd own(at(felt.size()));
    for (std::size_t i = 0; i < felt.size(); ++i) own[at(i)] = change[felt[i]];
    return gradients(related) * own;
  }

  /// Change of the effects that reduces the errors; leaves the solved equations in `solved_`.
  Eigen::VectorXd solved(const Eigen::VectorXd& effects) {
    Eigen::MatrixXd squares = precision_.asDiagonal();
    Eigen::VectorXd sums = -precision_.cwiseProduct(effects);
    inverses_.clear();
    for (std::size_t k = 0; k < related_.size(); ++k) {
      const Eigen::MatrixXd gradient = gradients(related_[k]);
      inverses_.emplace_back(
          calibration::covariance(related_[k], discrepancies_[group_of(related_[k])], weights_[k])
              .inverse());
      const Eigen::MatrixXd weighted = gradient.transpose() * inverses_.back();
      const Eigen::MatrixXd square = weighted * gradient;
      const Eigen::VectorXd sum = weighted * errors(related_[k]);
      const std::vector<Eigen::Index> felt = felt_by(related_[k]);
      for (Eigen::Index i = 0; i < sum.size(); ++i) {
        sums[felt[static_cast<std::size_t>(i)]] += sum[i];
        for (Eigen::Index j = 0; j < sum.size(); ++j)
          squares(felt[static_cast<std::size_t>(i)], felt[static_cast<std::size_t>(j)]) +=
              square(i, j);
      }
    }
    solved_.compute(squares);
    return solved_.solve(sums);
  }

  void learn_discrepancies(const Eigen::VectorXd& change, bool takes_them) {
    std::map<DiscrepancyGroup, DiscrepancySums> sums;
    for (std::size_t k = 0; k < related_.size(); ++k) {
      const RelatedSteps& related = related_[k];
      const DiscrepancyGroup group = group_of(related);
      weights_[k] = add_errors(sums[group], related, discrepancies_[group], inverses_[k],
                               errors(related) - moved(related, change), weights_[k]);
    }
    if (!takes_them) return;
    for (const auto& [group, sum] : sums)
      discrepancies_[group] = sum.discrepancy(usual_discrepancy(group.of_mixtures));
  }

  std::vector<Row> rows_;
  std::vector<RelatedSteps> related_;
  std::vector<Eigen::VectorXd> weights_;  ///< of the runs, by group of related steps
  std::vector<Eigen::MatrixXd> inverses_;
  std::map<DiscrepancyGroup, Discrepancy> discrepancies_;
  Eigen::VectorXd precision_;
  Eigen::VectorXd before_;  ///< effects before the last change
  Eigen::LLT<Eigen::MatrixXd> solved_;
};

StackFit::StackFit(std::span<const ObservedStep> steps, std::span<const KernelProfile> stacks) {
  std::vector<double> priors;
  const auto add_block = [&](double StackFigure::*spread) {
    for (const StackFigure& figure : stack_figures) priors.push_back(figure.*spread);
    return priors.size() - count;
  };
  add_block(&StackFigure::all);
  for (const KernelProfile& stack : stacks)
    if (!families_.contains(family_of(stack)))
      families_[family_of(stack)] = add_block(&StackFigure::family);
  for (const KernelProfile& stack : stacks) stacks_[stack.name] = add_block(&StackFigure::stack);

  const auto effect_of = [&](auto& effects, const auto& key, double deviation) {
    const auto [place, is_new] = effects.try_emplace(key, priors.size());
    if (is_new) priors.push_back(deviation);
    return place->second;
  };
  std::vector<Row> rows;
  for (const ObservedStep& step : steps) {
    const auto stack = std::find_if(stacks.begin(), stacks.end(),
                                    [&](const auto& each) { return each.name == step.stack; });
    ++steps_[step.stack];
    const std::string& chip = step.step.cluster.accelerator.name;
    rows.push_back({.observed = &step,
                    .profile = &*stack,
                    .blocks = {0, families_.at(family_of(*stack)), stacks_.at(stack->name)},
                    .figures = figures_taught(has_experts(step.step.model))});
    if (rows.back().is_of_mixture()) {
      rows.back().chips = {
          effect_of(mixture_chips_, chip, mixture_chip_deviation),
          effect_of(mixtures_on_chip_, std::pair(step.stack, chip), mixture_on_chip_deviation)};
      continue;
    }
    const std::string& die = dies_[chip] = step.step.cluster.accelerator.own_die();
    rows.back().chips = {
        effect_of(chips_, chip, chip_deviation),
        effect_of(stacks_on_die_, std::pair(step.stack, die), stack_on_die_deviation),
        effect_of(stacks_on_chip_, std::pair(step.stack, chip), stack_on_chip_deviation)};
  }
  Eigen::VectorXd effects = Eigen::VectorXd::Zero(at(priors.size()));
  Normal normal(std::move(rows), priors);
  normal.fit(effects);
  discrepancies_ = normal.discrepancies();
  pulls_ = normal.pulls();
  const Eigen::MatrixXd all = normal.covariance();
  centre_.assign(effects.data(), effects.data() + effects.size());
  covariance_.assign(all.data(), all.data() + all.size());
}

std::vector<std::size_t> StackFit::blocks_of(const KernelProfile& profile, FitScope scope) const {
  std::vector<std::size_t> blocks{0};
  if (const auto family = families_.find(family_of(profile)); family != families_.end())
    blocks.push_back(family->second);
  const auto stack = stacks_.find(profile.name);
  if (scope == FitScope::Stack && stack != stacks_.end()) blocks.push_back(stack->second);
  return blocks;
}

KernelProfile StackFit::learnt(KernelProfile profile, FitScope scope) const {
  const std::vector<std::size_t> blocks = blocks_of(profile, scope);
  const bool is_own = scope == FitScope::Stack && stacks_.contains(profile.name);
  const bool is_of_family = families_.contains(family_of(profile));
  std::array<double, count> logarithms{};
  profile.uncertainty = {.covariance = std::vector<double>(count * count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t block : blocks) logarithms[i] += centre_[block + i];
    double* row = &profile.uncertainty.covariance[i * count];
    for (std::size_t j = 0; j < count; ++j)
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
  const auto steps = steps_.find(profile.name);
  profile.steps = is_own && steps != steps_.end() ? steps->second : 0;
  const auto known = [&](bool of_mixtures) {
    const auto found = discrepancies_.find({.stack = profile.name, .of_mixtures = of_mixtures});
    return is_own && found != discrepancies_.end() ? found->second : usual_discrepancy(of_mixtures);
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
  std::vector<double> with_figures(count);
  for (const std::size_t a : effects) {
    logarithm += centre_[a];
    for (const std::size_t b : effects) variance += covariance(a, b);
    for (std::size_t i = 0; i < count; ++i)
      for (const std::size_t block : blocks) with_figures[i] += covariance(a, block + i);
  }
  return {chip, std::exp(logarithm), std::sqrt(variance), std::move(with_figures)};
}

std::vector<double> StackFit::moved_by(const KernelProfile& profile, std::size_t figure,
                                       FitScope scope) const {
  const std::vector<std::size_t> blocks = blocks_of(profile, scope);
  std::vector<double> moves;
  for (const Pull& pull : pulls_) {
    double with_step = 0;  // covariance of the figure with the step
    for (const std::size_t a : blocks) {
      for (const std::size_t b : pull.blocks)
        for (std::size_t k = 0; k < count; ++k)
          with_step += covariance(a + figure, b + k) * pull.response[k];
      for (const std::size_t chip : pull.chips) with_step += covariance(a + figure, chip);
    }
    moves.push_back(with_step * pull.error);
  }
  return moves;
}

}  // namespace calibration
}  // namespace tofn
