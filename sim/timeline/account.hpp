#pragma once

#include <optional>

#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace timeline {

/// What waiting for the slowest of `replicas` adds to a step. With an excess e, the expected
/// maximum of normal noise or a sample of it (below zero where all of a few are fast), and stages
/// that are busy for b and whose devices take d of it by themselves:
///   wait = max(b + e d) - max(b)
/// Waiting for hosts and links is not stretched: what hides the one, or lengthens the other,
/// changes no device. One replica waits for nobody.
class SlowestReplica {
 public:
  SlowestReplica(const StepWork&, std::optional<std::uint64_t> seed);
  /// Of each stage once: its own activity.
  void add(std::size_t stage, const PartTimes&);
  Seconds wait() const { return paced_.excess - (busiest_ - paced_.busy); }

 private:
  struct Stage {
    Seconds busy, excess;
  };
  const StepWork& work_;
  double excess_ = 0;
  Seconds busiest_;
  Stage paced_;  ///< that which takes longest of the slowest replica
};

/// A stage's own activity, and how long it waits for others.
struct StageActivity {
  PartTimes parts{};  ///< without Bubble and Imbalance
  Seconds waiting;    ///< until the step ends
  Seconds communication;
};
/// Time that is the stage's own, whatever the others do.
Seconds busy_time(const PartTimes&);

/// The account of one stage beside the one that has the most to do.
StepTimes account(const StageActivity&, const PartTimes& slowest, Seconds for_slowest_replica,
                  const PartBases&);

}  // namespace timeline
}  // namespace tofn
