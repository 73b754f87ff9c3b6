#pragma once

#include <span>
#include <vector>

#include "sim/core/basis.hpp"

namespace tofn {
inline namespace workload {

/// A reference convergence point: samples to the quality target at a global batch, the olympic mean
/// of `runs` runs whose single results scatter by `standard_deviation`.
struct ReferencePoint {
  double batch = 0;
  double samples = 0;
  double standard_deviation = 0;
  int runs = 0;
};

/// A reference point that was in force up to a round of the benchmark, and that another replaced.
struct ReplacedPoint {
  ReferencePoint point;
  double last_round = 0;  ///< such as 4.1
};

/// The points in force in an earlier round, from those of the newest (ascending batch).
std::vector<ReferencePoint> as_of_round(std::vector<ReferencePoint> newest,
                                        std::span<const ReplacedPoint> replaced, double round);

/// Samples to target at one batch: the expected mean, the deviation of a single run, and the
/// uncertainty of the expectation. All in samples.
struct SamplesToTarget {
  double expected = 0;
  double run_deviation = 0;
  double expected_deviation = 0;
  Basis basis = Basis::Measured;
};

/// S0*(1+(B/Bc)^p): how samples grow past the critical batch Bc.
/// Shallue et al., "Measuring the effects of data parallelism", JMLR 2019, gives the shape.
struct ConvergenceLaw {
  double base_samples = 0;
  double critical_batch = 1;
  double power = 1;

  double samples(double batch) const;
};
/// Fits the law by relative least squares over the points (at least one), with a refined grid over
/// Bc and p. Takes some milliseconds.
ConvergenceLaw fit_convergence_law(std::span<const ReferencePoint> points);

/// Interpolates in log-log between reference points (ascending batch, at least two; without points
/// the expectation is 0). Outside them it continues S0*(1+(B/Bc)^p) fitted to all points, scaled to
/// meet the nearest one, and returns the basis Extrapolated.
SamplesToTarget samples_to_target(std::span<const ReferencePoint> points, double batch);
/// Samples to target by a law that was already fitted to these points.
SamplesToTarget samples_to_target(std::span<const ReferencePoint> points, const ConvergenceLaw&,
                                  double batch);

}  // namespace workload
}  // namespace tofn
