#pragma once

#include <string>

#include "sim/answers/job_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Text of a job: its time and cost, the parts of its step, and assumptions; for several sizes a
/// table and a chart. Details: each figure with its range and basis, phases, plans and assumptions.
AnswerText job_text(const JobRequest&, const JobAnswer&);

/// Text such as `1T tokens`; without tokens `4.6M samples`.
std::string trained_words(double tokens, double samples);

/// Lines `assumed`: each value that is not stated, with the option that states it.
std::string assumed_text(const JobRequest&, const RunPoint&);

/// Words on the assumption that training in 8 or 4 bits reaches the same loss.
std::string same_loss_words(const SimulatedStep&);

/// Line `batch`, with its origin; empty for a run of several phases, which state their own.
std::string batch_text(const StatedRun& request, const RunEstimate&);

/// Term of a price, such as `on-demand`.
std::string price_words(const ChosenPrice&);
/// Line `price`: the price and its source, or why none is known.
std::string price_text(const Expense&, const Cluster&, const ExpenseOptions& request);

/// Line `assumed`: the inputs of a run's energy and time besides its steps that are not stated.
std::string assumed_of_run_text(const Expense&, Seconds start_up, double grid_intensity);

/// Lines `price` and `assumed`: the inputs of an estimate's energy and cost.
std::string expense_text(const JobRequest&, const RunEstimate&);

/// Table of the phases of a run; empty if there is only one.
std::string job_phases_text(const JobRequest&, const RunPoint&);

}  // namespace report
}  // namespace tofn
