#include "sim/report/left_out_text.hpp"

#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string paragraph(const std::string& why, const std::vector<const LeftOutRow*>& rows) {
  const Location& first = rows.front()->location;
  const std::string place =
      first.line == 0
          ? ""
          : fmt::format(" (first: {}:{})", std::filesystem::path(first.file).filename().string(),
                        first.line);
  std::vector<std::string> names;
  for (const LeftOutRow* row : rows)
    if (!row->name.empty()) names.push_back(row->name);
  return fmt::format("left out: {} x {}{}", rows.size(), why, place) +
         (names.empty() ? "\n" : fmt::format(":\n   {}\n", fmt::join(names, ", ")));
}

}  // namespace

std::string left_out_counts(const std::vector<LeftOutRow>& rows) {
  std::map<std::string, int> reasons;
  for (const LeftOutRow& row : rows) ++reasons[row.why];
  std::string text;
  for (const auto& [why, count] : reasons)
    text += note("left out", fmt::format("{} x {}", count, why));
  return text;
}

std::string left_out_text(const std::vector<LeftOutRow>& rows, std::string_view counted_alone) {
  std::map<std::string, std::vector<const LeftOutRow*>> reasons;
  for (const LeftOutRow& row : rows) reasons[row.why].push_back(&row);
  std::string text;
  for (const auto& [why, of_reason] : reasons)
    text += why == counted_alone ? fmt::format("left out: {} x {}\n", of_reason.size(), why)
                                 : paragraph(why, of_reason);
  return text;
}

}  // namespace report
}  // namespace tofn
