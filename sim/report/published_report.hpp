#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/published_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of errors and coverage of ranges, overall, by table and by benchmark; details: by
/// accelerator and size, and the rows that are not scored.
AnswerText published_text(const std::vector<ScoredRun>&, std::string_view protocol);
/// Text of the rows that are not scored; calibrating rows, which are most, are only counted.
std::string left_out_runs(const std::vector<ScoredRun>&);
ExplainedRecords published_records(const std::vector<ScoredRun>&, std::string_view protocol);

}  // namespace report
}  // namespace tofn
