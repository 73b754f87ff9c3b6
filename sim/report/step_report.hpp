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

/// The breakdown of one step: its parts, what limits it, and the memory of the most loaded stage.
AnswerText step_text(const SimulatedStep&);
/// One line for each of several numbers of accelerators.
AnswerText step_table_text(const std::vector<SimulatedStep>&);
/// One row a step: plan, time with its interval, every part, MFU, bottleneck, memory.
Records step_records(const std::vector<SimulatedStep>&);
std::vector<ColumnMeaning> step_columns();

/// Where two steps differ, part by part; the parts sum to the difference.
std::string step_difference_text(const SimulatedStep& from, const SimulatedStep& to,
                                 const std::vector<Change>&);

/// The workloads whose measured runs have the model of a step; empty: none.
std::string measured_model_text(const std::vector<const Workload*>&);
/// Before the figures of a step that does not fit: `DOES NOT FIT, 335 GB of 80 (what would: below);
/// if it did: `; else empty. `way_out`: where the reader finds one.
std::string does_not_fit_words(const SimulatedStep&,
                               std::string_view way_out = " (what would: below)");
/// Where a step does not fit: the plan with the fewest changes that does, or what to try.
std::string way_out_text(const std::optional<FittingPlan>&, std::string_view to_try);
std::string way_out_text(const SimulatedStep&);

/// `64 x H100 SXM (dgx-h100)`, of a mixed job both kinds.
std::string hardware_words(const SimulatedStep&);

/// A line for each kind of accelerator of a mixed job: what it holds, how long it is busy, how fast
/// it would be alone, its most loaded stage. Empty where all are alike.
std::string kinds_text(const SimulatedStep&);
/// Which kind of a mixed job the other waits for, and what that costs; empty where all are alike.
std::string pace_text(const SimulatedStep&);

/// The same for machines, empty where all are alike.
Columns<SimulatedStep> kinds_columns();

}  // namespace report
}  // namespace tofn
