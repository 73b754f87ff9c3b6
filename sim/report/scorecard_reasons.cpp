#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/csv_row.hpp"
#include "sim/core/error.hpp"
#include "sim/core/records.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr int rows_of_a_cause = 3;
constexpr std::string_view shown = " (without it: ";  ///< separates a cause from its experiment

/// Earlier values and causes stated in a row.
struct Stated {
  std::string was;
  std::string why;
};

std::map<std::string, Stated> stated_in(const CsvTable& scorecard) {
  std::map<std::string, Stated> stated;
  if (!scorecard.has_column("was") || !scorecard.has_column("why")) return stated;
  for (std::size_t row = 0; row < scorecard.rows(); ++row)
    stated[scorecard.at(row, "what")] = {scorecard.at(row, "was"), scorecard.at(row, "why")};
  return stated;
}

const Reason* reason_for(const std::string& what, std::span<const Reason> reasons) {
  const auto found =
      std::ranges::find_if(reasons, [&](const Reason& each) { return what == each.row; });
  return found == reasons.end() ? nullptr : &*found;
}

Value cell(const std::string& text) { return to_value(known(text)); }

std::optional<double> figure_of(const CsvTable& scorecard, const std::string& what,
                                const std::string& column) {
  for (std::size_t row = 0; row < scorecard.rows(); ++row)
    if (scorecard.at(row, "what") == what && scorecard.has_column(column))
      return CsvRow(scorecard, row).number(column);
  return {};
}

bool needs_experiment(const ScorecardChange& change) {
  return !change.column.empty() && change.column != "n";
}

/// Value of the figure with one change reverted; absent if no revert takes back half of the growth.
std::optional<double> shown_by(std::span<const CsvTable> without, const ScorecardChange& change) {
  if (!change.is) return {};
  const auto worse_than = [&](double value) {
    return badness(change.column, *change.is) - badness(change.column, value);
  };
  for (const CsvTable& each : without) {
    const auto reverted = figure_of(each, change.what, change.column);
    if (reverted && 2 * worse_than(*reverted) >= worse_than(*change.was)) return reverted;
  }
  return {};
}

void check_causes(const std::map<std::string, Stated>& stated) {
  std::map<std::string, int> rows;
  for (const auto& [row, its] : stated) {
    if (its.why.empty()) continue;
    const std::string cause = its.why.substr(0, its.why.find(shown));
    if (++rows[cause] > rows_of_a_cause)
      throw InputError(
          {}, "--why",
          fmt::format("'{}' is the cause of more than {} rows: find what it is of each", cause,
                      rows_of_a_cause));
  }
}

/// Least mean error of the row since as many rows were scored, and since a worse one was accepted.
std::optional<double> best_mean(const CsvTable& before, const CsvTable& now,
                                const std::string& what) {
  const auto is = figure_of(now, what, "mean_percent");
  if (!is || figure_of(before, what, "n") != figure_of(now, what, "n")) return is;
  const auto best = figure_of(before, what, "best_mean_percent");
  const auto was = best ? best : figure_of(before, what, "mean_percent");
  return was ? std::min(*was, *is) : *is;
}

}  // namespace

Reason reason_of(const std::string& text) {
  const auto colon = text.find(": ");
  if (colon == 0 || colon == std::string::npos ||
      text.find_first_not_of(' ', colon + 2) == std::string::npos)
    throw InputError(
        {}, "--why",
        fmt::format("expected 'ROW: CAUSE', as in 'steps unknown-stack: ...', got '{}'", text));
  return {.row = text.substr(0, colon), .cause = text.substr(colon + 2)};
}

KeptScorecard kept_scorecard(const Records& now, const CsvTable& before,
                             std::span<const Reason> reasons, std::span<const CsvTable> without) {
  KeptScorecard kept{.records = now, .without_reason = {}};
  const CsvTable table = CsvTable::parse(to_csv(now), "");
  const ScorecardChanges changes = scorecard_changes(before, table);
  std::map<std::string, Stated> stated = stated_in(before);
  std::map<std::string, std::vector<std::string>> experiments;
  std::set<std::string> accepted;
  for (const ScorecardChange& each : changes.better) stated[each.what] = {};
  for (const ScorecardChange& each : changes.worse) stated[each.what] = {};
  for (const ScorecardChange& each : changes.worse) {
    const Reason* reason = reason_for(each.what, reasons);
    const auto reverted = needs_experiment(each) ? shown_by(without, each) : std::nullopt;
    if (reason == nullptr || (needs_experiment(each) && !reverted)) {
      kept.without_reason.push_back(each);
      continue;
    }
    Stated& row = stated[each.what];
    row.was += (row.was.empty() ? "" : "; ") + each.before();
    row.why = reason->cause;
    if (reverted) experiments[each.what].push_back(fmt::format("{} {}", each.column, *reverted));
    if (each.column == "mean_percent") accepted.insert(each.what);
    if (!each.column.empty()) continue;
    kept.records.rows.emplace_back(now.columns.size()).front() = each.what;
  }
  check_causes(stated);
  for (const auto& [row, figures] : experiments)
    stated[row].why += fmt::format("{}{})", shown, fmt::join(figures, "; "));
  kept.records.columns.insert(kept.records.columns.end(), {"best_mean_percent", "was", "why"});
  for (auto& row : kept.records.rows) {
    const std::string what = std::get<std::string>(row.front());
    const auto best = accepted.contains(what) ? figure_of(table, what, "mean_percent")
                                              : best_mean(before, table, what);
    row.insert(row.end(), {to_value(best), cell(stated[what].was), cell(stated[what].why)});
  }
  return kept;
}

std::vector<ScorecardChange> unexplained(const CsvTable& before, const CsvTable& now) {
  const std::map<std::string, Stated> stated = stated_in(now);
  check_causes(stated);
  std::vector<ScorecardChange> left = scorecard_changes(before, now).worse;
  std::erase_if(left, [&](const ScorecardChange& each) {
    const auto its = stated.find(each.what);
    if (its == stated.end() || its->second.why.empty()) return false;
    const bool is_shown =
        !needs_experiment(each) || its->second.why.find(shown) != std::string::npos;
    const std::string was = "; " + its->second.was + ';';
    return is_shown && was.find("; " + each.before() + ';') != std::string::npos;
  });
  return left;
}

}  // namespace report
}  // namespace tofn
