#pragma once

#include <optional>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace expense {

/// What ends a job now and then. It goes on from its last checkpoint.
struct Interruptions {
  Seconds mean_between;  ///< of the whole job; infinite: none
  Seconds checkpoint;    ///< that writing one takes, while nothing is computed
  Seconds restart;       ///< from an interruption until the job computes again
};

/// The interval between checkpoints that loses the least: the root of Young's problem (Young 1974)
/// for exponential times between interruptions, of which sqrt(2 x checkpoint x mean_between) and
/// Daly's series (J. Daly, "A higher order estimate of the optimum checkpoint interval for restart
/// dumps", 2006) are the first terms.
Seconds best_checkpoint_interval(const Interruptions&);

/// Times what it would take undisturbed: of a run that takes longer the end is nobody's to see.
inline constexpr double endless = 1e6;

/// The expected length of a run that is interrupted.
struct InterruptedRun {
  Seconds expected;
  std::optional<Seconds> checkpoint_every;  ///< absent: it ends before the first one is due
};

/// Daly's expected time of each segment, `mean_between e^(restart/mean_between)
/// (e^(segment/mean_between) - 1)`, over segments that end in a checkpoint and a last one that does
/// not. `interval`: between checkpoints; absent: the best one, split evenly.
InterruptedRun interrupted(Seconds run, const Interruptions&, std::optional<Seconds> interval = {});

}  // namespace expense
}  // namespace tofn
