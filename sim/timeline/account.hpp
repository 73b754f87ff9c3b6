#pragma once

#include <optional>

#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace timeline {

/// What waiting for the slowest of `replicas` adds to a step, over its passes: the expected maximum
/// of normal noise, or a sample of it (below zero where all of a few are fast). One waits for
/// nobody.
double slowest_replica_excess(const StepWork&, std::optional<std::uint64_t> seed);

/// A stage's own doings, and how long it waits for others.
struct StageDoings {
  PartTimes parts{};  ///< without Bubble and Imbalance
  Seconds waiting;    ///< until the step ends
  Seconds communication;
};
/// Time that is the stage's own, whatever the others do.
Seconds busy_time(const PartTimes&);

/// The account of one stage beside the one that has the most to do. `replica_excess` is a share of
/// the latter's compute and launches.
StepTimes account(const StageDoings&, const PartTimes& slowest, double replica_excess,
                  const PartBases&);

}  // namespace timeline
}  // namespace tofn
