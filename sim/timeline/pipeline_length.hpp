#pragma once

#include <span>

#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace timeline {

/// How long one chunk's passes take on a rank, overlapped data communication included, other
/// stages left out.
struct StageLengths {
  Seconds first_gather;   ///< before the first pass
  Seconds first_forward;  ///< where parameters that stay are gathered
  Seconds forward;
  Seconds backward;
  Seconds last_backward;  ///< where gradients leave
  Seconds weights;        ///< weight gradients; none but under split schedules
  Seconds last_weights;
  Seconds tail;  ///< of the data stream, after the last pass
};
/// `stalls`: what compute waits for the sends that follow the passes.
struct SendStalls {
  Seconds forward, backward;
};
/// `ahead`: how long the gathers of parameters that stay have travelled when the first pass starts.
StageLengths stage_lengths(const StepWork&, const ChunkTimes&, const SendStalls& stalls,
                           Seconds ahead);

/// All of a chunk's passes in a step.
Seconds pass_time(const StageLengths&, int micro_batches);
/// What follows a stage's passes and their data communication.
Seconds ending(const StepWork&, int stage);

/// How sends hold a pipeline up: the next stage waits while they travel, or the sender already
/// has, so that its passes are longer and nothing is left to wait for.
struct Sends {
  std::span<const Seconds> times;  ///< as `StepWork::send`
  bool overlap = true;

  /// From a stage to the next one, or back.
  Seconds time(int stage) const {
    return times.empty() ? Seconds{} : times[static_cast<std::size_t>(stage)];
  }
  Seconds travel(int stage) const { return overlap ? time(stage) : Seconds{}; }
  Seconds stall(int stage) const { return overlap ? Seconds{} : time(stage); }
};
/// What a chunk's first pass finds of them, those of chunks before taken off; below 0 where they
/// are late.
Seconds gathers_ahead(const StepWork&, int stage, int chunk, const Sends&);
/// Lengths of the passes of one chunk of a stage, its stalls included.
StageLengths stage_lengths(const StepWork&, int stage, int chunk, const Sends&);

/// How long a step takes, without the noise of replicas.
Seconds pipeline_length(const StepWork&, const Sends&);
/// The same where stages have several chunks: each stage is taken for as many equal ones.
Seconds interleaved_length(const StepWork&, const Sends&);

}  // namespace timeline
}  // namespace tofn
