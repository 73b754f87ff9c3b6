#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// What stands beside the figures of a row.
struct Said {
  std::string was;
  std::string why;
};

std::map<std::string, Said> said_in(const CsvTable& scorecard) {
  std::map<std::string, Said> said;
  if (!scorecard.has_column("was") || !scorecard.has_column("why")) return said;
  for (std::size_t row = 0; row < scorecard.rows(); ++row)
    said[scorecard.at(row, "what")] = {scorecard.at(row, "was"), scorecard.at(row, "why")};
  return said;
}

const Reason* reason_for(const std::string& what, std::span<const Reason> reasons) {
  const auto found = std::find_if(reasons.begin(), reasons.end(),
                                  [&](const Reason& each) { return what.starts_with(each.rows); });
  return found == reasons.end() ? nullptr : &*found;
}

Value cell(const std::string& text) { return to_value(known(text)); }

}  // namespace

Reason reason_of(const std::string& text) {
  const auto colon = text.find(": ");
  if (colon == 0 || colon == std::string::npos ||
      text.find_first_not_of(' ', colon + 2) == std::string::npos)
    throw InputError(
        {}, "--why",
        fmt::format("expected 'ROW: REASON', as in 'steps unknown-stack: ...', got '{}'", text));
  return {.rows = text.substr(0, colon), .why = text.substr(colon + 2)};
}

KeptScorecard kept_scorecard(const Records& now, const CsvTable& before,
                             std::span<const Reason> reasons) {
  KeptScorecard kept{.records = now, .without_reason = {}};
  const ScorecardChanges changes = scorecard_changes(before, CsvTable::parse(to_csv(now), ""));
  std::map<std::string, Said> said = said_in(before);
  for (const ScorecardChange& each : changes.better) said[each.what] = {};
  for (const ScorecardChange& each : changes.worse) said[each.what] = {};
  for (const ScorecardChange& each : changes.worse) {
    const Reason* reason = reason_for(each.what, reasons);
    if (reason == nullptr) {
      kept.without_reason.push_back(each);
      continue;
    }
    Said& row = said[each.what];
    row.was += (row.was.empty() ? "" : "; ") + each.before();
    row.why = reason->why;
    if (!each.column.empty()) continue;
    kept.records.rows.emplace_back(now.columns.size()).front() = each.what;
  }
  kept.records.columns.insert(kept.records.columns.end(), {"was", "why"});
  for (auto& row : kept.records.rows) {
    const Said& its = said[std::get<std::string>(row.front())];
    row.insert(row.end(), {cell(its.was), cell(its.why)});
  }
  return kept;
}

}  // namespace report
}  // namespace tofn
