#pragma once

#include "sim/scaling/scaled_point.hpp"

namespace tofn::test {

/// A size of a job that trains `samples` in steps of batch 80. A step has `arithmetic` seconds of
/// compute, and a second each of launches and exposed communication.
inline ScaledPoint point_of(int accelerators, double samples, double arithmetic) {
  ScaledPoint point;
  point.accelerators = accelerators;
  point.batch = 80;
  part(point.step.parts, StepPart::Compute) = Seconds{arithmetic};
  part(point.step.parts, StepPart::Launch) = Seconds{1};
  part(point.step.parts, StepPart::Data) = Seconds{1};
  point.step.total = Seconds{arithmetic + 2};
  point.step.communication = Seconds{2};
  point.run = RunAccount{.samples = samples,
                         .steps = samples / 80,
                         .evaluation = Seconds{10},
                         .fixed = Seconds{5},
                         .score = {}};
  return point;
}

}  // namespace tofn::test
