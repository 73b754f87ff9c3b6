#pragma once

#include <string>
#include <vector>

#include "sim/answers/check_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// What sound files hold, with their notes.
std::string check_text(const std::vector<CheckedFile>&);
/// One row a file, broken ones too.
ExplainedRecords check_records(const std::vector<CheckedFile>&);

}  // namespace report
}  // namespace tofn
