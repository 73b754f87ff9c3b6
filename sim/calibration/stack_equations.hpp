#pragma once

#include <map>
#include <vector>

#include <Eigen/Dense>

#include "sim/calibration/fitted_steps.hpp"

namespace tofn {
inline namespace calibration {

/// Normal equations of all effects, and the discrepancy that no effect explains.
class StackEquations {
 public:
  StackEquations(std::vector<FittedStep> rows, const std::vector<double>& priors);

  /// Moves the effects to the least weighted squares, by Gauss-Newton, and estimates the
  /// discrepancies.
  void fit(Eigen::VectorXd& effects);

  /// Covariance of the effects, after `fit`.
  Eigen::MatrixXd covariance() const;
  const std::map<DiscrepancyGroup, Discrepancy>& discrepancies() const { return discrepancies_; }

  /// Contribution of each step, in the order of the rows.
  std::vector<StackPull> pulls() const;

 private:
  DiscrepancyGroup group_of(const RelatedSteps&) const;
  Eigen::VectorXd errors(const RelatedSteps&) const;
  /// Indices of the effects that act on steps of one stack, model and chip: few of all.
  std::vector<Eigen::Index> felt_by(const RelatedSteps&) const;
  /// Derivatives of the errors: [step][effect that acts on it].
  Eigen::MatrixXd gradients(const RelatedSteps&) const;
  /// Change of these steps' errors that a change of all effects makes.
  Eigen::VectorXd moved(const RelatedSteps&, const Eigen::VectorXd& change) const;

  /// Change of the effects that reduces the errors; leaves the solved equations in `solved_`.
  Eigen::VectorXd solved(const Eigen::VectorXd& effects);

  /// Estimates the discrepancies of the errors after the change; `takes_them`: for the next
  /// solution.
  void learn_discrepancies(const Eigen::VectorXd& change, bool takes_them);

  std::vector<FittedStep> rows_;
  std::vector<RelatedSteps> related_;
  std::vector<Eigen::VectorXd> weights_;  ///< of the runs, by group of related steps
  std::vector<Eigen::MatrixXd> inverses_;
  std::map<DiscrepancyGroup, Discrepancy> discrepancies_;
  Eigen::VectorXd precision_;
  Eigen::VectorXd before_;  ///< effects before the last change
  Eigen::LLT<Eigen::MatrixXd> solved_;
};

}  // namespace calibration
}  // namespace tofn
