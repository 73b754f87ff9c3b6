#pragma once

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace expense {

/// How long the accelerators of a job do what; the parts sum to its length.
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

/// What each activity draws, between an idle accelerator (0) and its stated maximum (1). Assumed,
/// by first principles: training kernels run into the power limit; between short kernels about half
/// of the time nothing runs; a kernel that moves or awaits data keeps clocks, links and part of the
/// memory busy, but no arithmetic. One-node runs cannot tell the last two from the first.
inline constexpr double computing_draw = 1.0;
inline constexpr double launching_draw = 0.5;
inline constexpr double communicating_draw = 0.3;

/// The mean of the above over a job, 0 to 1; 0 for one that takes no time.
double utilisation(const Activity&);

}  // namespace expense
}  // namespace tofn
