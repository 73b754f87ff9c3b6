#pragma once

#include <optional>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace expense {

/// Interruptions of a job, which continues from its last checkpoint.
struct Interruptions {
  Seconds mean_between;  ///< of the whole job; infinite if it has no interruptions
  Seconds checkpoint;    ///< time to write one, while nothing computes
  Seconds restart;       ///< until the job computes again
  /// Time more that an interruption costs: reading the checkpoint, and steps beside the write of
  /// one, which do not count before it ends.
  Seconds recovery{};
  Seconds least_interval{};  ///< between checkpoints: time in which one is written

  Seconds down() const { return restart + recovery; }
};

/// Interval between checkpoints that loses the least time: the root of Young's problem (Young 1974)
/// for exponential times between interruptions. sqrt(2 x checkpoint x mean_between) and Daly's
/// series (J. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
/// 2006) are its first terms.
Seconds best_checkpoint_interval(const Interruptions&);

/// Ratio of expected to undisturbed time above which a run counts as endless.
inline constexpr double endless = 1e6;

/// Expected length of an interrupted run.
struct InterruptedRun {
  Seconds expected;
  std::optional<Seconds> checkpoint_every;  ///< absent: the run ends before the first one is due
};

/// Expected length of a run: Daly's expected time of each segment, `mean_between
/// e^(down/mean_between) (e^(segment/mean_between) - 1)`, summed over segments that end in a
/// checkpoint and a last one without. `interval`: between checkpoints; absent: the best one of at
/// least `least_interval`, split evenly.
InterruptedRun interrupted(Seconds run, const Interruptions&, std::optional<Seconds> interval = {});

}  // namespace expense
}  // namespace tofn
