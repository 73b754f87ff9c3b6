#pragma once

#include <Eigen/Dense>

#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace diagnosis {

/// ln(measured / predicted) of a table's rows, with its covariance: that of the posterior, of a
/// curve's error between its points, and of the rows themselves.
struct Residuals {
  Eigen::VectorXd values;
  Eigen::MatrixXd covariance;
};
Residuals residuals_of(const LinkTable&, const LinkPosterior&, const LinkSpreads&);

}  // namespace diagnosis
}  // namespace tofn
