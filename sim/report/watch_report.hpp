#pragma once

#include <string>

#include "sim/answers/watch_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// One line: progress, step, end, drift.
std::string watch_line(const WatchAnswer&);
/// Text for the end of watching: the line with its cause.
std::string watch_text(const WatchAnswer&);
ExplainedRecords watch_records(const WatchAnswer&);

}  // namespace report
}  // namespace tofn
