#pragma once

#include <string>
#include <vector>

#include "sim/expense/expense.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// Filters the sentences which say that a requested option changes nothing.
std::vector<std::string> idle_sentences(const std::vector<std::string>&);

/// Sentences on the stated fields of a plan that have no effect in the plan that was made of it:
/// `--chunks does nothing here: it needs pp > 1`.
std::vector<std::string> idle_choices(const StatedPlan&, const Plan& made);

/// Sentences on the switches that a plan states as on and without which step time and memory stay
/// the same, because the machine or the software lacks what they need.
std::vector<std::string> idle_switches(const StatedPlan&, const SimulatedStep& made,
                                       const KernelProfile&);

/// Sentence on a stated micro-batch that does not divide a replica's samples; empty if it does.
std::vector<std::string> other_micro_batch(const StatedPlan&, const Plan& made);

/// Sentences on how the open fields of a plan were chosen, and on stated fields that were changed
/// or have no effect.
std::vector<std::string> choice_words(const StatedPlan&, const BestPlan& made);

/// Sentences on the requested checkpoint options of a run that writes no checkpoint, because its
/// work ends before the first one.
std::vector<std::string> idle_choices(const ExpenseOptions&, const Expense&);

}  // namespace answers
}  // namespace tofn
