#pragma once

#include "sim/timeline/pass.hpp"

namespace tofn {

/// How long one chunk's passes take on a rank, data communication beside them included, other
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
StageLengths stage_lengths(const StepWork&, const ChunkTimes&, const SendStalls& stalls = {});

}  // namespace tofn
