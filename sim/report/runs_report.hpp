#pragma once

#include <string>
#include <vector>

#include "sim/answers/goodput_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the errors of predicted published runs, compared with the baseline; the details list
/// every run, and the goodput that authors state.
AnswerText runs_text(const std::vector<PublishedRun>&, const std::vector<StatedGoodput>&);
/// Text of the runs that are not predicted, by reason.
std::string left_out_runs(const std::vector<PublishedRun>&);
ExplainedRecords runs_records(const std::vector<PublishedRun>&);

}  // namespace report
}  // namespace tofn
