#pragma once

#include <string>

#include "sim/answers/job_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// What a job takes, where its step goes and what was assumed; of several sizes a table and a
/// chart. Details: each figure with its range and basis, phases, plans and assumptions.
AnswerText job_text(const JobRequest&, const JobAnswer&);

/// `1T tokens`; without tokens `4.6M samples`.
std::string trained_words(double tokens, double samples);

/// The lines `assumed`: what nobody stated, each with the option that states it.
std::string assumed_text(const JobRequest&, const RunPoint&);

/// What an answer in 8 or 4 bits takes for granted of its loss.
std::string same_loss_words(const SimulatedStep&);

/// The batch, and who chose it; nothing of a run of several: its phases have them.
std::string batch_text(const RunFile& asked, const RunEstimate&);

/// `on-demand`.
std::string price_words(const ChosenPrice&);
/// The line `price`: how much it is, and whose; else why none is known.
std::string price_text(const Expense&, const Cluster&, const ExpenseOptions& asked);

/// The lines `price` and `assumed`: what energy and cost of an estimate rest on.
std::string expense_text(const JobRequest&, const RunEstimate&);

/// Each phase of the run; empty where there is but one.
std::string job_phases_text(const JobRequest&, const RunPoint&);

}  // namespace report
}  // namespace tofn
