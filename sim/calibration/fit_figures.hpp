#pragma once

#include <functional>
#include <span>
#include <vector>

namespace tofn {
inline namespace calibration {

/// A positive figure that is fitted on its logarithm, which is normal around `usual` before any
/// measurement.
struct FittedFigure {
  double typical = 1;
  double deviation = 1;  ///< standard deviation of the logarithm
};

/// Logarithm of predicted over measured, and how much it counts.
struct WeighedError {
  double error = 0;
  double weight = 1;
};
using ErrorsOf = std::function<std::vector<WeighedError>(std::span<const double> figures)>;

/// Figures with the least sum of 2 w (sqrt(1 + (e/noise)^2) - 1) over the errors, which large
/// errors enter linearly, and of squared deviations from the usual figures. Gauss-Newton with
/// damping.
std::vector<double> fit_figures(std::span<const FittedFigure>, double noise, const ErrorsOf&);

}  // namespace calibration
}  // namespace tofn
