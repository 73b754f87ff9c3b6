#pragma once

#include <span>
#include <vector>

#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace curves {

/// Time of a curve at one size, and the interval that holds 9 of 10 measurements.
struct CurveAnswer {
  Seconds time;
  Seconds low;
  Seconds high;
  Basis basis = Basis::Interpolated;  ///< Measured at a measured size, Extrapolated outside them
  double beyond =
      1;  ///< factor by which size or nodes are outside the measured ones, the larger of both
};

/// Limit of `beyond`: an answer further out is a guess, whatever its interval.
inline constexpr double far_beyond = 4;

/// A curve at one size, in natural logarithms: of the time in seconds, and the interval's half
/// width.
struct CurvePoint {
  double time = 0;
  double width = 0;
};

/// Time over size of one collective on one group of ranks; it never falls. It is a table over log
/// size, so that a lookup allocates nothing and takes tens of nanoseconds.
class CostCurve {
 public:
  static constexpr int steps_per_octave = 8;
  static constexpr int octaves = 44;  // 1 B to 16 TiB; sizes outside get the answer of the nearest
                                      // end
  static constexpr int points = steps_per_octave * octaves + 1;
  /// The size in bytes of a point of the table.
  static double size_of(int point);

  /// `table` has `points` points. `measured`, sizes in bytes, ascends and is not empty. No answer
  /// has a stronger basis than `strongest`. The node count is `nodes_beyond` times outside the
  /// measured ones. Times that fall as the size grows are levelled (see isotonic.hpp), and the
  /// interval grows by the change.
  CostCurve(std::vector<CurvePoint> table, std::vector<double> measured,
            Basis strongest = Basis::Measured, double nodes_beyond = 1);

  CurveAnswer at(Bytes size) const;

  std::span<const CurvePoint> table() const { return table_; }
  std::span<const double> measured() const { return measured_; }

 private:
  Basis basis_at(double size) const;
  double beyond_at(double size) const;

  std::vector<CurvePoint> table_;
  std::vector<double> measured_;
  Basis strongest_ = Basis::Measured;
  double nodes_beyond_ = 1;
};

}  // namespace curves
}  // namespace tofn
