#pragma once

#include <string>

#include "sim/answers/job_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// What a job takes, figure by figure, each with its interval and what it rests on; a table of
/// sizes where there are several.
std::string job_text(const JobRequest&, const JobAnswer&);

/// What an answer in 8 or 4 bits takes for granted of its loss.
std::string same_loss_words(const SimulatedStep&);

/// The batch, and who chose it; nothing of a run of several: its phases have them.
std::string batch_text(const RunFile& asked, const RunEstimate&);

/// The lines `power`, `price` and `assumed`: what energy and cost of an estimate rest on.
std::string expense_text(const JobRequest&, const RunEstimate&);

/// Each phase of the run; empty where there is but one.
std::string job_phases_text(const JobRequest&, const RunPoint&);

}  // namespace report
}  // namespace tofn
