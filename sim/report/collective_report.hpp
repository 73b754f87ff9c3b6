#pragma once

#include <string>

#include "sim/answers/collective_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the time with its range and bus bandwidth, and of the algorithms of the cluster's own
/// library; the details list those of others.
AnswerText collective_text(const CollectiveAnswer&);
/// One row an algorithm, after a row for the calibration's time if there is one.
ExplainedRecords collective_records(const CollectiveAnswer&);

}  // namespace report
}  // namespace tofn
