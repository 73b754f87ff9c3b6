#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/published_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Errors and how well ranges hold, of all runs, by table and benchmark; by accelerator and size,
/// and what is not scored, in the details.
AnswerText published_text(const std::vector<ScoredRun>&, std::string_view protocol);
/// What is not scored; of those that calibrate, which are most, no names.
std::string left_out_runs(const std::vector<ScoredRun>&);
ExplainedRecords published_records(const std::vector<ScoredRun>&, std::string_view protocol);

}  // namespace report
}  // namespace tofn
