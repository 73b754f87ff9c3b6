#pragma once

#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace timeline {

/// Forward-only passes of a replica that follow one another through its pipeline.
struct ForwardPass {
  Seconds of_stage;    ///< one pass on the slowest stage, with the send to the next one
  double filling = 0;  ///< passes that the last stage waits for the first input

  Seconds of(double passes) const { return (passes + filling) * of_stage; }
};

/// The forward pass of a step's work, one micro-batch each.
ForwardPass forward_pass(const StepWork&);

}  // namespace timeline
}  // namespace tofn
