#pragma once

#include <functional>
#include <vector>

#include "sim/answers/sensitivity_answer.hpp"

namespace tofn {
inline namespace answers {

using OutcomeOf = std::function<Outcome(const PredictionInputs&)>;

/// Elasticity of the outcome to every input that moves it: by a tenth more and a tenth less of the
/// input, or twice and half of a count that a tenth does not change. `outcome_of` is called from
/// several threads; inputs of which it refuses a value (InputError) are left out.
std::vector<Elasticity> elasticities(const PredictionInputs&, const OutcomeOf& outcome_of);

}  // namespace answers
}  // namespace tofn
