#pragma once

#include "sim/expense/activity.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// Activity of the accelerators in a simulated step: the slowest stage stands for all. A bubble
/// counts as waiting inside a receive.
Activity activity_of(const StepTimes&);

}  // namespace simulation
}  // namespace tofn
