#include <fmt/format.h>

#include "sim/answers/step_record_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/report/step_record_report.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Files of an option, one per record; empty if it is not given. InputError if their number
/// differs.
std::vector<std::string> files_of(const options::variables_map& values, const option::Text& option,
                                  std::size_t records) {
  auto files = split_list(option.of(values).value_or(""));
  if (!files.empty() && files.size() != records)
    throw InputError({}, option.flag(),
                     fmt::format("has {} files, --record has {}", files.size(), records));
  return files;
}

StepRecords records_requested(const options::variables_map& values) {
  const auto records = split_list(option::record.value(values));
  const auto calibrations = files_of(values, option::calibration, records.size());
  const auto measured = files_of(values, option::measured, records.size());
  if (records.empty()) throw InputError({}, option::record.flag(), "expected at least one file");
  if (calibrations.empty())
    throw InputError({}, option::calibration.flag(),
                     "is needed: measured all-reduces of so many ranks");
  return {.records = records, .calibrations = calibrations, .measured = measured};
}

}  // namespace

CommandOptions record_rows() {
  return {{&option::record, every_job & ~(steps_of_table | step_checked)},
          {&option::measured, every_job & ~(steps_of_table | step_checked)}};
}

CommandAnswer step_from_records(const options::variables_map& values, const CommonOptions& common) {
  const int ranks = option::accelerators.as(values, whole<>).value_or(2);
  const auto runs = step_record_answer(records_requested(values), ranks, common.configs);
  return {.text = step_record_text(runs, ranks), .records = step_record_records(runs, ranks)};
}

}  // namespace app
}  // namespace tofn
