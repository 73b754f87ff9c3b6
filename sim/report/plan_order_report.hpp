#pragma once

#include <string>
#include <vector>

#include "sim/answers/plan_order_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// How many pairs of plans stand as they were measured and what the picks lose, of all and by
/// stack, beside what other rules make of them; the pairs that do not stand in the details.
AnswerText plan_order_text(const std::vector<PlanGroup>&, StepProtocol);
/// A row a pair.
ExplainedRecords plan_order_records(const std::vector<PlanGroup>&);

}  // namespace report
}  // namespace tofn
