#pragma once

#include <string>

#include "sim/answers/plan_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Text of the best run, its runner-up, what limits it, and the Pareto front. `again`: the command
/// that predicts the best run. Details: factors between best and runner-up, assumptions, plans.
AnswerText plan_text(const RunSearch&, const RunChoice&, const std::string& again);

/// Words for the question: `llama3-8b, 2T tokens: least cost within 20 days, with 90 % confidence`.
std::string plan_question(const RunSearch&);

/// One row a candidate, best in the objective first; each repeats the question and its limits.
Records plan_records(const RunSearch&, const RunChoice&);
std::vector<ColumnWords> candidate_columns();

}  // namespace report
}  // namespace tofn
