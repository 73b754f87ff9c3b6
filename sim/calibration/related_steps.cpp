#include "sim/calibration/related_steps.hpp"

#include <cmath>

#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace calibration {
namespace {

constexpr std::array discrepancies{&Discrepancy::run, &Discrepancy::plan, &Discrepancy::model};
enum { OfRun, OfPlan, OfModel };

double square(double value) { return value * value; }

/// Factor of a plan's effect in each step: the step's noise, or 0 in steps of other plans.
Eigen::VectorXd loading(const RelatedSteps& related, const std::vector<std::size_t>& plan) {
  Eigen::VectorXd loading = Eigen::VectorXd::Zero(related.noise.size());
  for (const std::size_t step : plan) loading[eigen_index(step)] = related.noise[eigen_index(step)];
  return loading;
}

/// Adds the mean square of an effect of this prior variance, given the errors.
void add_effect(DiscrepancySums& sums, int which, double variance, const Eigen::VectorXd& loading,
                const Eigen::MatrixXd& inverse, const Eigen::VectorXd& errors) {
  const Eigen::VectorXd weighted = inverse * loading;
  const double mean = variance * weighted.dot(errors);
  const auto place = static_cast<std::size_t>(which);
  sums.squares[place] += square(mean) + variance - square(variance) * loading.dot(weighted);
  sums.terms[place] += 1;
}

}  // namespace

Discrepancy DiscrepancySums::discrepancy(const Discrepancy& typical) const {
  constexpr double seen = 6;
  Discrepancy result;
  for (std::size_t i = 0; i < squares.size(); ++i)
    result.*discrepancies[i] =
        std::sqrt((seen * square(typical.*discrepancies[i]) + squares[i]) / (seen + terms[i]));
  return result;
}

Eigen::MatrixXd covariance(const RelatedSteps& related, const Discrepancy& discrepancy,
                           const Eigen::VectorXd& weights) {
  Eigen::MatrixXd sum = square(discrepancy.model) * related.noise * related.noise.transpose();
  for (const auto& plan : related.plans) {
    const Eigen::VectorXd own = loading(related, plan);
    sum += square(discrepancy.plan) * own * own.transpose();
  }
  sum.diagonal().array() += (discrepancy.run * related.noise).array().square() / weights.array();
  return sum;
}

Eigen::VectorXd add_errors(DiscrepancySums& sums, const RelatedSteps& related,
                           const Discrepancy& discrepancy, const Eigen::MatrixXd& inverse,
                           const Eigen::VectorXd& errors, const Eigen::VectorXd& weights) {
  add_effect(sums, OfModel, square(discrepancy.model), related.noise, inverse, errors);
  for (const auto& plan : related.plans)
    add_effect(sums, OfPlan, square(discrepancy.plan), loading(related, plan), inverse, errors);
  const Eigen::VectorXd weighted = inverse * errors;
  Eigen::VectorXd next(weights.size());
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    const double variance = square(discrepancy.run * related.noise[i]) / weights[i];
    const double own = variance * weighted[i];
    const double left = square(own) + variance - square(variance) * inverse(i, i);
    sums.squares[OfRun] += weights[i] * left / square(related.noise[i]);
    sums.terms[OfRun] += 1;
    next[i] =
        (run_freedom + 1) / (run_freedom + square(own / (discrepancy.run * related.noise[i])));
  }
  return next;
}

}  // namespace calibration
}  // namespace tofn
