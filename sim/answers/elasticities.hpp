#pragma once

#include <functional>
#include <vector>

#include "sim/answers/sensitivity_answer.hpp"

namespace tofn {
inline namespace answers {

using OutcomeOf = std::function<Outcome(const PredictionInputs&)>;

/// Elasticities of the outcome to every input that moves it. Each input is taken a tenth larger and
/// smaller; a count that a tenth does not change is doubled and halved. Calls `outcome_of` from
/// several threads, and leaves out inputs of which it refuses a value (InputError).
std::vector<Elasticity> elasticities(const PredictionInputs&, const OutcomeOf& outcome_of);

}  // namespace answers
}  // namespace tofn
