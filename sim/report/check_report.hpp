#pragma once

#include <string>
#include <vector>

#include "sim/answers/check_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the contents of sound files, with their notes.
std::string check_text(const std::vector<CheckedFile>&);
/// One row a file, including files with a problem.
ExplainedRecords check_records(const std::vector<CheckedFile>&);

}  // namespace report
}  // namespace tofn
