#pragma once

namespace tofn {
inline namespace training {

/// Time of published runs over their simulated hours under the shortest plan. There are two
/// factors: their steps used other plans and software, which may be faster or slower than those
/// simulated; and a run takes longer than its steps, never shorter.
struct Overrun {
  double steps = 1;         ///< median of the time of steps over the simulated time
  double steps_spread = 1;  ///< 90 % of runs are between the median divided and multiplied by this
  double excess = 0;        ///< mean of ln(time of the run / of its steps), an exponential variate

  bool is_none() const { return steps == 1 && steps_spread == 1 && excess == 0; }
  /// Returns the overrun without the factor of steps if these were measured.
  Overrun with(bool measured_steps) const {
    return measured_steps ? Overrun{.excess = excess} : *this;
  }
};
inline constexpr Overrun no_overrun{};
/// Overrun fitted to all published runs (a test repeats the fit; `validate runs` compares each run
/// with the fit to other families). `steps_spread` includes the uncertainty of simulated steps, so
/// that samples of both are somewhat wider than the runs were.
inline constexpr Overrun published_overrun{.steps = 1.48, .steps_spread = 2.42, .excess = 0.12};
/// Number of published runs whose 90 % interval contains them, sampled with the overrun of other
/// families, and number of all these runs (a test counts them).
struct Coverage {
  int inside = 0;
  int runs = 0;
};
inline constexpr Coverage published_coverage{.inside = 45, .runs = 53};
/// Coverage of the same runs without an overrun.
inline constexpr Coverage simulated_coverage{.inside = 18, .runs = 53};

}  // namespace training
}  // namespace tofn
