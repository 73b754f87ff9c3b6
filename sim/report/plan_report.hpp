#pragma once

#include <string>

#include "sim/answers/plan_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// The best run, its runner-up, what limits it, and the Pareto front. `again`: the command that
/// predicts the best one. Details: why the runner-up lost, assumptions, plans.
AnswerText plan_text(const RunSearch&, const RunChoice&, const std::string& again);

/// What was asked: `llama3-8b, 2T tokens: least cost within 20 days, with 90 % confidence`.
std::string plan_question(const RunSearch&);

/// One row a candidate, the best of the objective first; each with the question and its limits.
Records plan_records(const RunSearch&, const RunChoice&);
std::vector<ColumnMeaning> candidate_columns();

}  // namespace report
}  // namespace tofn
