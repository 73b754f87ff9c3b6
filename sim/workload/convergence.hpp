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

/// A point as the rules had it up to a round of the benchmark, which another one then replaced.
struct ReplacedPoint {
  ReferencePoint point;
  double last_round = 0;  ///< 4.1
};

/// Points of the newest round (ascending batch) as the rules of an earlier one had them.
std::vector<ReferencePoint> as_of_round(std::vector<ReferencePoint> newest,
                                        std::span<const ReplacedPoint> replaced, double round);

/// Samples to target at one batch: the expected mean, the spread of a single run, and how uncertain
/// the expectation itself is. All in samples.
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
/// Least relative squares over the points, of which there is at least one, by a refined grid over
/// Bc and p: some milliseconds.
ConvergenceLaw fit_convergence_law(std::span<const ReferencePoint> points);

/// Interpolates in log-log between reference points (ascending batch, at least two; of none follows
/// nothing, an expectation of 0). Outside them it continues S0*(1+(B/Bc)^p) fitted to all points,
/// scaled to meet the nearest one, and says so.
SamplesToTarget samples_to_target(std::span<const ReferencePoint> points, double batch);
/// The same by a law that was fitted to these points before.
SamplesToTarget samples_to_target(std::span<const ReferencePoint> points, const ConvergenceLaw&,
                                  double batch);

}  // namespace workload
}  // namespace tofn
