#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/scaling/law.hpp"

namespace tofn {

struct FittedParameter {
  double value = 0;
  /// 90 %, from the covariance at the least squares and Student's t: as if what the law misses were
  /// chance. Absent: as many parameters as points.
  std::optional<Interval> interval;
};

/// Errors at sizes that the fit did not see, by parameters fitted to the smaller ones.
struct LargerSizesError {
  int largest_seen = 0;  ///< accelerators
  ErrorSummary error;
};

struct LawFit {
  const Law* law = nullptr;
  std::vector<FittedParameter> parameters;
  ErrorSummary error;                        ///< |T_law/T - 1| of the points that it was fitted to
  std::optional<LargerSizesError> held_out;  ///< absent: too few points

  double minutes(double accelerators) const;
};

/// The parameters with the least sum of squares of T_law/T - 1, so that small and large times count
/// alike: Levenberg-Marquardt (More, "The Levenberg-Marquardt algorithm", 1978) as Eigen has it.
/// Absent where there are fewer sizes than parameters, or where the search does not end. Points in
/// ascending order of accelerators; several of one size count each.
std::optional<LawFit> fit_law(const Law&, std::span<const ScalingPoint>);

/// Each law that can be fitted, scored on the largest third of the sizes (at least one) as well,
/// which are held back from a second fit.
std::vector<LawFit> fit_laws(std::span<const ScalingPoint>);

}  // namespace tofn
