#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/core/statistics.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace scaling {

/// A law of scaling: the time of a job on N accelerators as a function of a few parameters. The
/// first parameter, or all of them, have the unit of the fitted times.
struct Law {
  std::string_view name;
  std::string_view formula;  ///< of the speedup S or of the time T
  std::span<const std::string_view> parameters;
  double (*time)(std::span<const double> parameters, double accelerators);
  /// A starting point for a fit, from one point of the series.
  std::vector<double> (*start)(const ScalingPoint&);
};

/// Every law. To add one, add a row.
/// - amdahl: Amdahl, AFIPS 1967; gustafson: Gustafson, CACM 31(5), 1988, read as the speedup of
/// whatever the series measures.
/// - universal: Gunther's universal scalability law, "Guerrilla Capacity Planning", 2007.
/// - affine-log: T = a + bN + c ln N, an empirical form.
/// - communication: T = T_comp/N + T_comm(N), the latter of a tree, l + h log2 N.
std::span<const Law> laws();

struct FittedParameter {
  double value = 0;
  /// 90 % interval, from the covariance at the least squares and Student's t, as if the law's
  /// errors were random. Absent if there are as many parameters as points.
  std::optional<Interval> interval;
};

/// Errors at sizes that were held out, with parameters fitted to the smaller ones.
struct LargerSizesError {
  int largest_seen = 0;  ///< accelerators
  Accuracy error;
};

struct LawFit {
  const Law* law = nullptr;
  std::vector<FittedParameter> parameters;
  Accuracy error;                            ///< |T_law/T - 1| at the fitted points
  std::optional<LargerSizesError> held_out;  ///< absent: too few points

  double minutes(double accelerators) const;
};

/// Fits the parameters by least squares of T_law/T - 1, so that small and large times have equal
/// weight: Levenberg-Marquardt (More, "The Levenberg-Marquardt algorithm", 1978) in Eigen. Absent
/// if there are fewer sizes than parameters, or if the search does not end. Points must ascend in
/// accelerators; several of one size all count.
std::optional<LawFit> fit_law(const Law&, std::span<const ScalingPoint>);

/// Every law that can be fitted, also scored on the largest third of the sizes (at least one), held
/// out of a second fit.
std::vector<LawFit> fit_laws(std::span<const ScalingPoint>);

}  // namespace scaling
}  // namespace tofn
