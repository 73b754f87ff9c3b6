#pragma once

#include <array>
#include <vector>

#include <Eigen/Dense>

#include "sim/kernel/kernel_profile.hpp"

// Correlated errors of steps of one model, modelled as random effects that no figure explains.

namespace tofn {
inline namespace calibration {

inline Eigen::Index eigen_index(std::size_t index) { return static_cast<Eigen::Index>(index); }

/// Steps of one model on one stack and chip.
struct RelatedSteps {
  std::vector<std::size_t> steps;               ///< indices in the fit
  std::vector<std::vector<std::size_t>> plans;  ///< indices in `steps`, for each plan
  Eigen::VectorXd noise;                        ///< of each step, relative to one that states all
                                                ///< settings
};

/// Sums of squares and their numbers of terms, of runs, plans and models.
struct DiscrepancySums {
  std::array<double, 3> squares{};
  std::array<double, 3> terms{};

  /// Discrepancy of these sums, joined by six terms of the default one.
  Discrepancy discrepancy(const Discrepancy& typical) const;
};

/// Covariance of the logarithms of the steps if all figures are known. `weights` are those of each
/// run's own error, below 1 for outliers.
Eigen::MatrixXd covariance(const RelatedSteps&, const Discrepancy&, const Eigen::VectorXd& weights);

/// Adds the contribution of these errors to the discrepancy (the E step of expectation
/// maximisation; Dempster, Laird and Rubin, 1977). Returns the weight of each run under its t.
/// `inverse` is that of their covariance with the weights.
Eigen::VectorXd add_errors(DiscrepancySums&, const RelatedSteps&, const Discrepancy&,
                           const Eigen::MatrixXd& inverse, const Eigen::VectorXd& errors,
                           const Eigen::VectorXd& weights);

}  // namespace calibration
}  // namespace tofn
