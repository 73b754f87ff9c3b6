#pragma once

#include <string>
#include <vector>

#include "sim/config/filled_plan.hpp"
#include "sim/expense/expense.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// The sentences about an answer which say that something that was asked for changes nothing.
std::vector<std::string> idle_sentences(const std::vector<std::string>&);

/// What a plan states and does nothing at the sizes of the one that was made of it, a sentence
/// each: `--chunks does nothing here: it needs pp > 1`.
std::vector<std::string> idle_choices(const PlanFile&, const Plan& made);

/// Switches that a plan states on and without which the step takes as long and holds as much, a
/// sentence each: the machine or the software lacks what they need.
std::vector<std::string> idle_switches(const PlanFile&, const SimulatedStep& made,
                                       const KernelProfile&);

/// The micro-batch that a plan states, where it does not divide what a replica has, a sentence.
std::vector<std::string> other_micro_batch(const PlanFile&, const Plan& made);

/// How what the file leaves open of a plan was chosen, and what of it is not as stated.
std::vector<std::string> choice_words(const PlanFile&, const BestPlan& made);

/// What is asked of checkpoints where a run has none, a sentence each.
std::vector<std::string> idle_choices(const ExpenseOptions&, const InterruptedRun&);

}  // namespace answers
}  // namespace tofn
