#pragma once

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace expense {

/// Seconds that the accelerators of a job spend in each activity; the sum is the job's length.
struct Activity {
  Seconds computing;      ///< kernels, one after the other
  Seconds launching;      ///< short kernels and the gaps between them
  Seconds communicating;  ///< exposed communication, and waiting inside it for other ranks
  Seconds idle;           ///< nothing runs

  Seconds total() const { return computing + launching + communicating + idle; }
  friend Activity operator+(const Activity& a, const Activity& b) {
    return {a.computing + b.computing, a.launching + b.launching, a.communicating + b.communicating,
            a.idle + b.idle};
  }
  friend Activity operator*(double factor, const Activity& a) {
    return {factor * a.computing, factor * a.launching, factor * a.communicating, factor * a.idle};
  }
};

/// Power of each activity, between an idle accelerator (0) and its stated maximum (1). Assumed by
/// first principles: training kernels run into the power limit; between short kernels nothing runs
/// for about half of the time; a kernel that moves or awaits data keeps clocks, links and part of
/// the memory busy, but no arithmetic. One-node runs cannot separate the last two from the first.
inline constexpr double computing_draw = 1.0;
inline constexpr double launching_draw = 0.5;
inline constexpr double communicating_draw = 0.3;

/// Mean power of a job's activities on that scale, 0 to 1; 0 for a job that takes no time.
inline double utilisation(const Activity& activity) {
  const Seconds total = activity.total();
  if (!(total > Seconds{})) return 0;
  return (computing_draw * activity.computing + launching_draw * activity.launching +
          communicating_draw * activity.communicating) /
         total;
}

}  // namespace expense
}  // namespace tofn
