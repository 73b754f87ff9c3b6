#pragma once

#include <string>

#include "sim/answers/collective_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// The time with its range and bus bandwidth, then the algorithms of the cluster's own library;
/// those of others stand in the details.
AnswerText collective_text(const CollectiveAnswer&);
/// One row an algorithm; before them what the calibration says, where it does.
ExplainedRecords collective_records(const CollectiveAnswer&);

/// Names as the table has them; a protocol's is empty where there is none.
std::string library_of(const TimedAlgorithm&);
std::string protocol_of(const TimedAlgorithm&);
double bus_bandwidth_gb_s(const TimedAlgorithm&, const CollectiveRequest&);

}  // namespace report
}  // namespace tofn
