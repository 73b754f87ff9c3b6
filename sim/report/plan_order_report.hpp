#pragma once

#include <string>
#include <vector>

#include "sim/answers/plan_order_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of how many pairs of plans are predicted in their measured order and how much the picks
/// lose, overall and by stack, compared with other rules. The details list the pairs in the wrong
/// order.
AnswerText plan_order_text(const std::vector<PlanGroup>&, StepProtocol);
/// One row a pair.
ExplainedRecords plan_order_records(const std::vector<PlanGroup>&);

}  // namespace report
}  // namespace tofn
