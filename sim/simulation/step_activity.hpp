#pragma once

#include "sim/expense/activity.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// What the accelerators do in a simulated step: those of the slowest stage, taken for all. A
/// bubble waits inside a receive.
Activity activity_of(const StepTimes&);

}  // namespace simulation
}  // namespace tofn
