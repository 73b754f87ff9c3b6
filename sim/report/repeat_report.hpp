#pragma once

#include <string>

#include "sim/answers/repeat_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

std::string repeat_text(const RepeatAnswer&);
ExplainedRecords repeat_records(const RepeatAnswer&);

}  // namespace report
}  // namespace tofn
