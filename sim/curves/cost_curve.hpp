#pragma once

#include <span>
#include <vector>

#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace curves {

/// What a curve says of one size: the time, and the interval that holds 9 of 10 measurements.
struct CurveAnswer {
  Seconds time;
  Seconds low;
  Seconds high;
  Basis basis = Basis::Interpolated;  ///< Measured at a measured size, Extrapolated outside them
  double beyond =
      1;  ///< times that size or nodes lie outside what was measured, the larger of both
};

/// An answer further out than this is a guess, whatever its interval.
inline constexpr double far_beyond = 4;

/// A curve at one size, in natural logarithms: of the time in seconds, and of how far the interval
/// reaches up and down.
struct CurvePoint {
  double time = 0;
  double width = 0;
};

/// Time over size of one collective on one group of ranks; it never falls. Stored as a table in log
/// size, so that a question allocates nothing and costs tens of nanoseconds.
class CostCurve {
 public:
  static constexpr int steps_per_octave = 8;
  static constexpr int octaves = 44;  // 1 B to 16 TiB; smaller and larger sizes get those answers
  static constexpr int points = steps_per_octave * octaves + 1;
  /// The size in bytes of a point of the table.
  static double size_of(int point);

  /// `table` has `points` points and `measured`, sizes in bytes, ascends and is not empty; no
  /// answer rests on more than `strongest`; its node count lies `nodes_beyond` times outside those
  /// measured. Times that fall with size are levelled (see
  /// isotonic.hpp), and what that moves them by is added to the interval.
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
