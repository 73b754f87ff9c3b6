#include "sim/report/check_report.hpp"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/standard_input.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords check_records(const std::vector<CheckedFile>& files) {
  const TableColumns<CheckedFile> columns{
      {"file", &CheckedFile::file, "file that was checked"},
      {"kind", of_its(&CheckedFile::content, &FileContent::kind)},
      {"ok", [](const CheckedFile& each) { return !each.problem; }, "1 where the file can be read"},
      {"problem", &CheckedFile::problem, "reason why the file cannot be read"},
      {"warnings",
       [](const CheckedFile& each) {
         return each.content
                    ? std::optional(fmt::format("{}", fmt::join(each.content->notes, "; ")))
                    : std::nullopt;
       },
       "doubtful values in a file that can be read"}};
  return records_of(columns, files);
}

std::string check_text(const std::vector<CheckedFile>& files) {
  std::string text;
  for (const CheckedFile& each : files) {
    if (!each.content) continue;
    text += fmt::format("{}: ok ({}{})\n", file_label(each.file), each.content->kind,
                        each.content->summary);
    for (const std::string& note : each.content->notes) text += fmt::format("  {}\n", note);
  }
  return text;
}

}  // namespace report
}  // namespace tofn
