#pragma once

#include <map>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "sim/calibration/fitted_steps.hpp"
#include "sim/calibration/related_steps.hpp"

namespace tofn {
inline namespace calibration {

/// Normal equations of all effects, and the discrepancy that no effect explains.
class StackEquations {
 public:
  StackEquations(std::span<FittedStep>, std::span<const KernelProfile> stacks,
                 const std::vector<double>& priors);

  /// Returns the effects with the least weighted squares, by Gauss-Newton from 0. Leaves the steps
  /// at the solution, and estimates the discrepancies.
  Eigen::VectorXd fit();

  /// Covariance of the effects, after `fit`.
  Eigen::MatrixXd covariance() const;
  const std::map<DiscrepancyGroup, Discrepancy>& discrepancies() const { return discrepancies_; }

 private:
  /// Evaluates all steps, in parallel: a fit over 400 steps takes a second of one core. Steps that
  /// were evaluated before the fit are not evaluated at its start.
  void evaluate(const Eigen::VectorXd& effects, bool with_responses);
  /// Sets the pulls of the steps, after their last evaluation at these effects.
  void set_pulls(const Eigen::VectorXd& effects);
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

  std::span<const KernelProfile> stacks_;
  std::span<FittedStep> steps_;
  std::vector<RelatedSteps> related_;
  std::vector<Eigen::VectorXd> weights_;  ///< of the runs, by group of related steps
  std::vector<Eigen::MatrixXd> inverses_;
  std::map<DiscrepancyGroup, Discrepancy> discrepancies_;
  Eigen::VectorXd precision_;
  Eigen::LLT<Eigen::MatrixXd> solved_;
};

}  // namespace calibration
}  // namespace tofn
