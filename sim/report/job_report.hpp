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
std::string batch_text(const RunFile& asked, const JobEstimate&);

/// Each phase of the run; empty where there is but one.
std::string job_phases_text(const JobRequest&, const JobPoint&);

/// One row a size: what was asked, the plan, and each figure with both ends of its 90 % interval.
Records job_records(const JobRequest&, const JobAnswer&);
/// The same, one row a phase of a size.
Records job_phase_records(const JobRequest&, const JobAnswer&);

}  // namespace report
}  // namespace tofn
