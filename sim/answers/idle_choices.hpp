#pragma once

#include <string>
#include <vector>

#include "sim/config/load_plan.hpp"
#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace answers {

/// What a plan states and does nothing at the sizes of the one that was made of it, a sentence
/// each: `--chunks does nothing here: it needs pp > 1`.
std::vector<std::string> idle_choices(const PlanFile&, const Plan& made);

/// What is asked of checkpoints where a run has none, a sentence each.
std::vector<std::string> idle_choices(const ExpenseOptions&, const InterruptedRun&);

}  // namespace answers
}  // namespace tofn
