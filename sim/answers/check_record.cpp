#include "sim/answers/check_record.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_record.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// True if every point of this kind has the parameter with this value, so that it says nothing.
bool is_common(const Record& record, std::string_view kind,
               const std::pair<std::string, RecordValue>& wanted) {
  return std::ranges::all_of(record.points, [&](const RecordPoint& each) {
    const RecordValue* value = parameter(each, wanted.first);
    return each.kind != kind || (value != nullptr && *value == wanted.second);
  });
}

/// Returns text such as `collective, size_bytes=1024: bimodal: ...; unfinished`.
std::string flags_note(const Record& record, const RecordPoint& point) {
  std::string what = point.kind;
  for (const auto& each : point.parameters) {
    if (is_common(record, point.kind, each)) continue;
    what += fmt::format(", {}=", each.first);
    std::visit([&](const auto& held) { what += fmt::format("{}", held); }, each.second);
  }
  auto flags = point.flags;
  if (!point.is_complete) flags.emplace_back("unfinished");
  return fmt::format("{}: {}", what, fmt::join(flags, "; "));
}

}  // namespace

FileContent check_record(const std::filesystem::path& file) {
  const Record record = load_record(file);
  FileContent report{.kind = "record", .summary = {}, .notes = {}};
  std::size_t ranks = 0;
  std::size_t unfinished = 0;
  for (const RecordHost& host : record.hosts) ranks += static_cast<std::size_t>(host.ranks);
  for (const RecordPoint& point : record.points) {
    if (!point.is_complete) ++unfinished;
    if (!point.flags.empty() || !point.is_complete)
      report.notes.push_back(flags_note(record, point));
  }
  report.summary = fmt::format(", {} on {} of {}", counted(record.points.size(), "point"),
                               counted(ranks, "rank"), counted(record.hosts.size(), "host"));
  if (unfinished > 0) report.summary += fmt::format(", {} unfinished", unfinished);
  return report;
}

bool resembles_record(const YamlNode& root) {
  if (!root.is_map()) return false;
  const auto entries = root.entries();
  return std::ranges::any_of(entries, [](const auto& entry) {
    return entry.first == "tofn_record" || entry.first == "provenance" || entry.first == "points";
  });
}

}  // namespace answers
}  // namespace tofn
