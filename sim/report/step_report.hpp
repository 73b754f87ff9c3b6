#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/step_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace report {

/// Text of one step: its parts, its bottleneck, and the memory of the most loaded stage.
AnswerText step_text(const SimulatedStep&);
/// Text with a line for each number of accelerators.
AnswerText step_table_text(const std::vector<SimulatedStep>&);
/// One row a step: plan, time with its interval, every part, MFU, bottleneck, memory.
Records step_records(const std::vector<SimulatedStep>&);
std::vector<ColumnWords> step_columns();

/// Text of the differences between two steps, part by part; the parts sum to the difference.
std::string step_difference_text(const SimulatedStep& from, const SimulatedStep& to,
                                 const std::vector<Change>&);

/// Text of the workloads whose measured runs have the step's model; empty if there are none.
std::string measured_model_text(const std::vector<const Workload*>&);
/// Line with the batch of a step, such as `64 x 8192 = 524k tokens`.
std::string step_batch_text(const SimulatedStep&);
/// Words before the figures of a step that does not fit: `DOES NOT FIT, 335 GB of 80 (what would:
/// below); if it did: `; otherwise empty. `way_out`: where the text says what would fit.
std::string does_not_fit_words(const SimulatedStep&,
                               std::string_view way_out = " (what would: below)");
/// Line for a step that does not fit: the plan with the fewest changes that does, or what to try.
/// `of`: phase that the plan is of; may be empty.
std::string way_out_text(const std::optional<FittingPlan>&, std::string_view to_try,
                         const std::string& of = {});
std::string way_out_text(const SimulatedStep&);

/// Words such as `64 x H100 SXM (dgx-h100)`; both kinds for a mixed job.
std::string hardware_words(const SimulatedStep&);

/// Table with a line for each kind of accelerator of a mixed job: its layers or replicas, its busy
/// time, its speed alone, and its most loaded stage. Empty if all are alike.
std::string kinds_text(const SimulatedStep&);
/// Sentence on which kind of a mixed job the other waits for, and what that costs; empty if all are
/// alike.
std::string pace_text(const SimulatedStep&);

/// Columns for the kinds of a mixed job, for machines; empty values if all accelerators are alike.
Columns<SimulatedStep> kinds_columns();

}  // namespace report
}  // namespace tofn
