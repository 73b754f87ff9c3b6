#pragma once

#include <array>
#include <vector>

#include <Eigen/Dense>

#include "sim/kernel/kernel_profile.hpp"

// Steps of one model err together: what no figure explains of them, as random effects.

namespace tofn {
inline namespace calibration {

/// Steps of one model on one stack and chip.
struct RelatedSteps {
  std::vector<std::size_t> steps;               ///< places in the fit
  std::vector<std::vector<std::size_t>> plans;  ///< places in `steps`, of each plan
  Eigen::VectorXd noise;                        ///< of each step, beside one that states all
};

/// Sums of squares and how many terms they have: of runs, plans and models.
struct DiscrepancySums {
  std::array<double, 3> squares{};
  std::array<double, 3> terms{};

  /// As if so many terms of the usual discrepancy had been seen as well.
  Discrepancy discrepancy(const Discrepancy& usual) const;
};

/// What is left of the logarithms of the steps when all figures are known. `weights`: of each run's
/// own error, below 1 where it is an outlier.
Eigen::MatrixXd covariance(const RelatedSteps&, const Discrepancy&, const Eigen::VectorXd& weights);

/// Adds what these errors tell of the discrepancy (the E step of expectation maximisation;
/// Dempster, Laird and Rubin, 1977) and returns the weights that Student's t with five degrees of
/// freedom gives each run. `inverse`: of their covariance with the weights.
Eigen::VectorXd add_errors(DiscrepancySums&, const RelatedSteps&, const Discrepancy&,
                           const Eigen::MatrixXd& inverse, const Eigen::VectorXd& errors,
                           const Eigen::VectorXd& weights);

}  // namespace calibration
}  // namespace tofn
