#pragma once

#include <functional>
#include <vector>

#include "sim/answers/sensitivity_answer.hpp"

namespace tofn {
inline namespace answers {

using OutcomeOf = std::function<Outcome(const PredictionInputs&)>;

/// Of every lever that acts: by the outcome with a tenth more and a tenth less of it, or twice and
/// half of a count that a tenth leaves. `outcome_of` is called from several threads; levers of
/// which it refuses a value (InputError) are left out.
std::vector<Elasticity> elasticities(const PredictionInputs&, const OutcomeOf& outcome_of);

}  // namespace answers
}  // namespace tofn
