#pragma once

#include <string>

#include "sim/answers/rl_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of a step of RL: its time and range, its parts, what limits it and what would shorten it,
/// and what is assumed; of several sizes a table. Details: plan and engine of each size.
AnswerText rl_text(const RlRequest&, const RlAnswer&);
ExplainedRecords rl_records(const RlRequest&, const RlAnswer&);

/// Words such as `1 step off; 8 generate beside 8 that train`.
std::string placement_words_of(const RlSplit&);
/// Words such as `5 engines of 3, which leave 1 accelerator idle`.
std::string engines_words(const RlSplit&);
/// Lines on the parts of a step, its rollout and its training, what limits it, and divisions that
/// are clearly shorter.
std::string rl_step_text(const RlRequest&, const RlPoint&);

}  // namespace report
}  // namespace tofn
