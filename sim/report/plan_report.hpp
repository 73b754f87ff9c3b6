#pragma once

#include <string>

#include "sim/answers/plan_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// The best run, why the next one lost, what binds, and time against cost. `again`: the command
/// that predicts the best one.
std::string plan_text(const RunSearch&, const RunChoice&, const std::string& again);

/// What was asked: `llama3-8b, 2T tokens: least cost within 20 days, with 90 % confidence`.
std::string plan_question(const RunSearch&);

/// One row a candidate, the best of the objective first; each with the question and its limits.
Records plan_records(const RunSearch&, const RunChoice&);
std::vector<ColumnMeaning> candidate_columns();

}  // namespace report
}  // namespace tofn
