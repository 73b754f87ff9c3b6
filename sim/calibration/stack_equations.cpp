#include "sim/calibration/stack_equations.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/core/parallel.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Groups of steps of one stack, model and chip, with the places of each plan's steps.
std::vector<RelatedSteps> related_steps_of(std::span<const FittedStep> all_steps) {
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> models;
  for (std::size_t i = 0; i < all_steps.size(); ++i) {
    const FittedStep& step = all_steps[i];
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
    related.noise.resize(eigen_index(related.steps.size()));
    for (std::size_t i = 0; i < related.steps.size(); ++i)
      related.noise[eigen_index(i)] = all_steps[related.steps[i]].noise;
    all.push_back(std::move(related));
  }
  return all;
}

}  // namespace

StackEquations::StackEquations(std::span<FittedStep> steps, std::span<const KernelProfile> stacks,
                               const std::vector<double>& priors)
    : stacks_(stacks), steps_(steps), related_(related_steps_of(steps_)) {
  precision_.resize(eigen_index(priors.size()));
  // An effect without spread stays at 0.
  for (std::size_t i = 0; i < priors.size(); ++i)
    precision_[eigen_index(i)] = 1 / std::max(1e-12, priors[i] * priors[i]);
  for (const RelatedSteps& related : related_) {
    weights_.emplace_back(Eigen::VectorXd::Ones(related.noise.size()));
    discrepancies_[group_of(related)] = typical_discrepancy(group_of(related).of_mixtures);
  }
}

Eigen::VectorXd StackEquations::fit() {
  constexpr int iterations = 8;
  constexpr int with_default_discrepancy = 4;
  Eigen::VectorXd effects = Eigen::VectorXd::Zero(precision_.size());
  for (int i = 0; i < iterations; ++i) {
    evaluate(effects, i < with_default_discrepancy);  // responses hardly change after that
    Eigen::VectorXd change = solved(effects);
    if (i + 1 == iterations) set_pulls(effects);
    constexpr double longest = 0.7;  // responses are valid about that far
    change *= std::min(1.0, longest / std::max(longest, change.cwiseAbs().maxCoeff()));
    effects += change;
    learn_discrepancies(change, i + 1 >= with_default_discrepancy && i + 1 < iterations);
  }
  return effects;
}

void StackEquations::evaluate(const Eigen::VectorXd& effects, bool with_responses) {
  constexpr std::size_t parts = 2;
  const bool is_start = effects.isZero(0);
  in_parallel(parts, [&](std::size_t first) {
    for (std::size_t i = first; i < steps_.size(); i += parts)
      if (FittedStep& step = steps_[i]; !is_start || !step.response)
        step.evaluate(stack_of(step, stacks_),
                      {effects.data(), static_cast<std::size_t>(effects.size())}, with_responses);
  });
}

Eigen::MatrixXd StackEquations::covariance() const {
  return solved_.solve(Eigen::MatrixXd::Identity(precision_.size(), precision_.size()));
}

void StackEquations::set_pulls(const Eigen::VectorXd& effects) {
  for (std::size_t k = 0; k < related_.size(); ++k) {
    const Eigen::VectorXd pull = inverses_[k] * (errors(related_[k]) + moved(related_[k], effects));
    for (std::size_t i = 0; i < related_[k].steps.size(); ++i)
      steps_[related_[k].steps[i]].pull = pull[eigen_index(i)];
  }
}

DiscrepancyGroup StackEquations::group_of(const RelatedSteps& related) const {
  return steps_[related.steps.front()].group();
}

Eigen::VectorXd StackEquations::errors(const RelatedSteps& related) const {
  Eigen::VectorXd errors(related.noise.size());
  for (std::size_t i = 0; i < related.steps.size(); ++i)
    errors[eigen_index(i)] = steps_[related.steps[i]].error;
  return errors;
}

std::vector<Eigen::Index> StackEquations::felt_by(const RelatedSteps& related) const {
  const FittedStep& first = steps_[related.steps.front()];
  std::vector<Eigen::Index> felt;
  for (const std::size_t block : first.blocks)
    for (std::size_t k = 0; k < figure_count; ++k) felt.push_back(eigen_index(block + k));
  for (const std::size_t chip : first.chips) felt.push_back(eigen_index(chip));
  return felt;
}

Eigen::MatrixXd StackEquations::gradients(const RelatedSteps& related) const {
  const FittedStep& first = steps_[related.steps.front()];
  Eigen::MatrixXd gradients = Eigen::MatrixXd::Ones(
      related.noise.size(), eigen_index(first.blocks.size() * figure_count + first.chips.size()));
  for (std::size_t i = 0; i < related.steps.size(); ++i) {
    assert(steps_[related.steps[i]].blocks == first.blocks &&
           steps_[related.steps[i]].chips == first.chips);
    const StackResponse& taught = *steps_[related.steps[i]].response;
    for (std::size_t block = 0; block < first.blocks.size(); ++block)
      for (std::size_t k = 0; k < figure_count; ++k)
        gradients(eigen_index(i), eigen_index(block * figure_count + k)) = taught[k];
  }
  return gradients;
}

Eigen::VectorXd StackEquations::moved(const RelatedSteps& related,
                                      const Eigen::VectorXd& change) const {
  const std::vector<Eigen::Index> felt = felt_by(related);
  Eigen::VectorXd own(eigen_index(felt.size()));
  for (std::size_t i = 0; i < felt.size(); ++i) own[eigen_index(i)] = change[felt[i]];
  return gradients(related) * own;
}

Eigen::VectorXd StackEquations::solved(const Eigen::VectorXd& effects) {
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

void StackEquations::learn_discrepancies(const Eigen::VectorXd& change, bool takes_them) {
  std::map<DiscrepancyGroup, DiscrepancySums> sums;
  for (std::size_t k = 0; k < related_.size(); ++k) {
    const RelatedSteps& related = related_[k];
    const DiscrepancyGroup group = group_of(related);
    weights_[k] = add_errors(sums[group], related, discrepancies_[group], inverses_[k],
                             errors(related) - moved(related, change), weights_[k]);
  }
  if (!takes_them) return;
  for (const auto& [group, sum] : sums)
    discrepancies_[group] = sum.discrepancy(typical_discrepancy(group.of_mixtures));
}

}  // namespace calibration
}  // namespace tofn
