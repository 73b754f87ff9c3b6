#pragma once

#include <string>

#include "sim/answers/watch_collectives_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// One line: calls, time, drift of the bandwidth.
std::string watch_collectives_line(const WatchedCollectives&);
/// Text for the end of watching: the line with its cause, and a row for each collective and size.
std::string watch_collectives_text(const WatchedCollectives&);
ExplainedRecords watch_collectives_records(const WatchedCollectives&);

}  // namespace report
}  // namespace tofn
