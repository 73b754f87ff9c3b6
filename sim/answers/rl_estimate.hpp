#pragma once

#include "sim/answers/rl_answer.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// Figures of a run of RL post-training, or of one step of it, with those of failures, checkpoints,
/// energy and cost. A step is one of RL, with all responses and updates of it. A run whose
/// generation runs ahead begins with a rollout that nothing overlaps. `training` is one update of
/// the optimizer. Throws the InputErrors of `expense_of`.
RunEstimate rl_estimate(const RlRequest&, int accelerators, const RlSplit&,
                        const SimulatedStep& training);

}  // namespace answers
}  // namespace tofn
