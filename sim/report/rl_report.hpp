#pragma once

#include "sim/answers/rl_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of a step of RL: its time and range, its parts, what limits it and what would shorten it,
/// and what is assumed; of several sizes a table. Details: plan and engine of each size.
AnswerText rl_text(const RlRequest&, const RlAnswer&);
ExplainedRecords rl_records(const RlRequest&, const RlAnswer&);

}  // namespace report
}  // namespace tofn
