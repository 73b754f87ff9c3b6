#pragma once

#include <string>

#include "sim/published/import_mlperf.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the rows with their scores, and of the summary.
std::string import_text(const ImportedRounds&);
/// Text such as `12 rows of 118 files (1.2 GB); 3 lines damaged, 1 file without run_stop`.
std::string import_summary(const ImportedRounds&);
/// One row for each system and benchmark, with the columns of configs/published/*.csv.
ExplainedRecords import_records(const ImportedRounds&);

}  // namespace report
}  // namespace tofn
