#include <fmt/format.h>

#include "sim/report/check_report.hpp"

namespace tofn {
inline namespace report {

std::string check_text(const std::vector<CheckedFile>& files) {
  std::string text;
  for (const CheckedFile& each : files) {
    if (!each.content) continue;
    text += fmt::format("{}: ok ({}{})\n", each.file, each.content->kind, each.content->summary);
    for (const std::string& note : each.content->notes) text += fmt::format("  {}\n", note);
  }
  return text;
}

}  // namespace report
}  // namespace tofn
