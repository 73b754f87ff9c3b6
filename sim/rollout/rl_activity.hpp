#pragma once

#include "sim/rollout/rl_step.hpp"
#include "sim/rollout/training_passes.hpp"

namespace tofn {
inline namespace rollout {

/// Activity of an average accelerator in one step. The time by which frameworks are slower than the
/// simulated passes counts as launching; moved weights and states count as communicating.
Activity rl_activity(const RlStep&, const SimulatedPasses&, int generators, int trainers);

}  // namespace rollout
}  // namespace tofn
