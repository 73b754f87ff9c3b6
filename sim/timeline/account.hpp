#pragma once

#include <optional>

#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace timeline {

/// Time that a step loses to waiting for the slowest of `replicas`. With an excess e (the expected
/// maximum of normal noise, or a sample of it, which is below zero if a few replicas are all fast),
/// and stages that are busy for b, of which their devices take d:
///   wait = max(b + e d) - max(b)
/// Waiting for hosts and links does not scale with e, because noise on a device changes neither of
/// them. One replica waits for no other.
class SlowestReplica {
 public:
  SlowestReplica(const StepWork&, std::optional<std::uint64_t> seed);
  /// Adds the activity of a stage; call it once per stage.
  void add(std::size_t stage, const PartTimes&);
  Seconds wait() const { return paced_.excess - (busiest_ - paced_.busy); }

 private:
  struct Stage {
    Seconds busy, excess;
  };
  const StepWork& work_;
  double excess_ = 0;
  Seconds busiest_;
  Stage paced_;  ///< the stage that takes longest on the slowest replica
};

/// Activity of one stage, and how long it waits for others.
struct StageActivity {
  PartTimes parts{};  ///< Bubble and Imbalance are zero
  Seconds waiting;    ///< until the step ends
  Seconds communication;
};
/// Time that a stage is busy by itself, without waiting for others.
Seconds busy_time(const PartTimes&);

/// Step times of one stage, compared with the stage that has the most to do.
StepTimes account(const StageActivity&, const PartTimes& slowest, Seconds for_slowest_replica,
                  const PartBases&);

}  // namespace timeline
}  // namespace tofn
