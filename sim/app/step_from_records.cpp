#include <fmt/format.h>

#include "sim/answers/step_record_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/core/error.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/step_record_report.hpp"

namespace tofn {
inline namespace app {
namespace {

/// The files of an option: none, or as many as there are records.
std::vector<std::string> files_of(const options::variables_map& values, const char* name,
                                  std::size_t records) {
  auto files = split_list(text_option(values, name).value_or(""));
  if (!files.empty() && files.size() != records)
    throw InputError({}, std::string("--") + name,
                     fmt::format("has {} files, --record has {}", files.size(), records));
  return files;
}

StepRecords records_asked(const options::variables_map& values) {
  const auto records = split_list(values["record"].as<std::string>());
  const auto calibrations = files_of(values, "calibration", records.size());
  const auto measured = files_of(values, "measured", records.size());
  if (records.empty()) throw InputError({}, "--record", "expected at least one file");
  if (calibrations.empty())
    throw InputError({}, "--calibration", "is needed: measured all-reduces of so many ranks");
  return {.records = records, .calibrations = calibrations, .measured = measured};
}

}  // namespace

void add_record_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  description.add_options()  //
      ("record", text(),
       "records of `tofn-bench step --processor cpu` on one rank: the step on -N ranks (2) by "
       "measured all-reduces (--calibration)")  //
      ("measured", text(), "as many records of that step on -N ranks, to compare with");
}

CommandAnswer step_from_records(const options::variables_map& values, const CommonOptions& common) {
  refuse_idle_options(values, steps_of_records);
  const int ranks = count_option(values, "accelerators").value_or(2);
  const auto runs = step_record_answer(records_asked(values), ranks, common.configs);
  return {.text = step_record_text(runs, ranks), .records = step_record_records(runs, ranks)};
}

}  // namespace app
}  // namespace tofn
