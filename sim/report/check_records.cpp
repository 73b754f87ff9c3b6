#include "sim/report/check_report.hpp"

namespace tofn {
inline namespace report {

Records check_records(const std::vector<CheckedFile>& files) {
  const Columns<CheckedFile> columns{{"file", &CheckedFile::file},
                                     {"kind", of_its(&CheckedFile::content, &FileContent::kind)},
                                     {"ok", [](const CheckedFile& each) { return !each.problem; }},
                                     {"problem", &CheckedFile::problem}};
  return records_of(columns, files);
}

}  // namespace report
}  // namespace tofn
