#pragma once

#include "sim/scaling/scaled_point.hpp"

namespace tofn::test {

/// A size of a job that trains to `samples`: `arithmetic` seconds of it in a step of batch 80, and
/// a second each of overhead and exposed communication.
inline ScaledPoint point_of(int accelerators, double samples, double arithmetic) {
  ScaledPoint point;
  point.accelerators = accelerators;
  point.batch = 80;
  point.step = {.total = Seconds{arithmetic + 2},
                .arithmetic = Seconds{arithmetic},
                .overhead = Seconds{1},
                .optimizer = {},
                .exposed = Seconds{1},
                .waiting = {},
                .communication = Seconds{2}};
  point.run = RunAccount{.samples = samples,
                         .steps = samples / 80,
                         .evaluation = Seconds{10},
                         .fixed = Seconds{5},
                         .score = {}};
  return point;
}

}  // namespace tofn::test
