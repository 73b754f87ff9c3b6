#pragma once

#include "sim/expense/activity.hpp"
#include "sim/training/run.hpp"

namespace tofn {

/// What the accelerators do in a whole run. Evaluations are taken for steps, the fixed time for
/// idle; the score's scaling is no time at all.
Activity activity_of(const RunBreakdown&);

}  // namespace tofn
