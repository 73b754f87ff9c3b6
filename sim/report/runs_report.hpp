#pragma once

#include <string>
#include <vector>

#include "sim/answers/goodput_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// How far off predictions of published runs are, with the baseline beside it; every run and the
/// goodput that authors state stand in the details.
AnswerText runs_text(const std::vector<PublishedRun>&, const std::vector<StatedGoodput>&);
/// The runs that are not predicted, by reason.
std::string left_out_runs(const std::vector<PublishedRun>&);
ExplainedRecords runs_records(const std::vector<PublishedRun>&);

}  // namespace report
}  // namespace tofn
