#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/diagnosis/slowed_sizes.hpp"
#include "sim/report/detection_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string_view system_name(bool is_known) { return is_known ? "known" : "unknown"; }

std::string_view first_name(const std::vector<LikelyCause>& likely) {
  return likely.front().cause ? likely.front().cause->name : "none";
}

bool names(const std::vector<LikelyCause>& likely, std::string_view cause, std::size_t first) {
  const auto end = likely.begin() + static_cast<std::ptrdiff_t>(std::min(first, likely.size()));
  return std::any_of(likely.begin(), end, [&](const LikelyCause& each) {
    return each.cause != nullptr && each.cause->name == cause;
  });
}

struct Tally {
  std::string name;
  int made = 0;
  int found = 0;
  int first = 0;      ///< named first, among those found
  int among_two = 0;  ///< named first or second
};

template <class Counts>
Tally tally_of(std::string name, const std::vector<CauseTrial>& trials, const Counts& counts) {
  Tally tally{.name = std::move(name)};
  for (const CauseTrial& trial : trials) {
    if (!counts(trial)) continue;
    ++tally.made;
    if (!trial.is_found) continue;
    ++tally.found;
    tally.first += names(trial.reported, trial.made->name, 1);
    tally.among_two += names(trial.reported, trial.made->name, 2);
  }
  return tally;
}

/// Rates of detection of a kind of system at a share of false alarms.
struct RateRow {
  double false_alarms = 0;
  DetectionSummary summary{};
  std::size_t index = 0;  ///< of the fault that makes all sizes slow, among the rates

  std::string found(std::size_t rate) const {
    return fmt::format("{:.0f} %", 100 * summary.rates[rate].found);
  }
};

/// Number of faults that make all sizes slow; as many make only the larger half slow.
std::size_t whole_faults(const DetectionSummary& summary) { return (summary.rates.size() + 1) / 2; }

std::vector<RateRow> rate_rows(const std::vector<DetectionTrial>& trials) {
  std::vector<RateRow> rows;
  for (const bool known : {true, false})
    for (const double false_alarms : {0.02, 0.05, 0.1, 0.2})
      rows.push_back({false_alarms, summary_of(trials, known, false_alarms)});
  return rows;
}

TableColumns<RateRow> rate_columns() {
  using Row = RateRow;
  return {left("system", [](const Row& r) { return system_name(r.summary.system_is_known); }),
          right("tables", of_its(&Row::summary, &DetectionSummary::healthy)),
          right("false alarms",
                [](const Row& r) { return fmt::format("{:.0f} %", 100 * r.false_alarms); }),
          right("deviations", of_its(&Row::summary, &DetectionSummary::threshold), "{:.2f}")};
}

std::string times_slower(const DetectionRate& rate) {
  return fmt::format("{:.1f} x", rate.fault.factor);
}

/// Table of the share of faults found by factor, with a line for each rate of false alarms.
std::string found_table(const std::vector<DetectionTrial>& trials) {
  auto columns = rate_columns();
  const DetectionSummary any = summary_of(trials, true, 0.05);
  for (std::size_t i = 0; i < whole_faults(any); ++i)
    columns.push_back(right(times_slower(any.rates[i]), [i](const RateRow& r) {
      return i < whole_faults(r.summary) ? r.found(i) : "-";
    }));
  return table_text(columns, rate_rows(trials));
}

/// Share of tables found at twice the time and 5 % false alarms.
double found_at_twice(const std::vector<DetectionTrial>& trials, bool known) {
  const DetectionSummary summary = summary_of(trials, known, 0.05);
  for (const DetectionRate& rate : summary.rates)
    if (rate.fault.factor == 2) return rate.found;
  return 0;
}

std::string rates_table(const std::vector<DetectionTrial>& trials) {
  using Row = RateRow;
  std::vector<Row> rows;
  for (Row row : rate_rows(trials))
    for (row.index = 0; 2 * row.index < row.summary.rates.size(); ++row.index) rows.push_back(row);
  auto columns = rate_columns();
  columns.insert(
      columns.end(),
      {right("slower", [](const Row& r) { return times_slower(r.summary.rates[r.index]); }),
       right("all sizes", [](const Row& r) { return r.found(r.index); }),
       right("the larger half",
             [](const Row& r) { return r.found(r.index + r.summary.rates.size() / 2); })});
  std::string areas;
  for (const bool known : {true, false})
    areas += fmt::format("{}{} system {:.3f}", areas.empty() ? "" : ", ", system_name(known),
                         summary_of(trials, known, 0.05).area);
  return table_text(columns, rows) +
         note("area", "under the curve of false alarms and finds at 2 x: " + areas) +
         note("deviations",
              fmt::format("that so many healthy tables pass; `tofn collective --check` "
                          "alarms from {:.1f} and {:.1f}",
                          alarm_deviations(true), alarm_deviations(false)));
}

std::string slow_cases_table(const std::vector<SlowCase>& cases) {
  using Row = SlowCase;
  const auto slower = [](const Row& r) {
    const auto& slow = r.judgement.slow;
    return slow ? fmt::format("{:.2g} x", slow->factor) : "not found";
  };
  const TableColumns<Row> columns{
      left("slow table", of_its(&Row::table, &CollectiveTable::source)),
      right("ranks", of_its(&Row::table, &CollectiveTable::ranks)),
      right("sizes", [](const Row& r) { return r.table.rows.size(); }),
      right("slower", slower),
      left("cause", &Row::cause),
      left("named", [](const Row& r) { return first_name(r.judgement.likely); })};
  return table_text(columns, cases);
}

std::string causes_table(const std::vector<CauseTrial>& trials) {
  std::vector<Tally> rows;
  for (const SlownessCause& cause : causes()) {
    rows.push_back(tally_of(std::string(cause.name), trials,
                            [&](const CauseTrial& trial) { return trial.made == &cause; }));
    if (rows.back().made == 0) rows.pop_back();
  }
  for (const bool is_known : {true, false})
    for (const bool is_sweep : {true, false})
      rows.push_back(
          tally_of(fmt::format("{} system, {}", system_name(is_known),
                               is_sweep ? "64 KiB and less to 64 MiB and more" : "fewer sizes"),
                   trials, [&](const CauseTrial& trial) {
                     return trial.system_is_known == is_known && trial.is_sweep == is_sweep;
                   }));
  rows.push_back(tally_of("all", trials, [](const CauseTrial&) { return true; }));
  const auto share = [](int Tally::*count) {
    return [=](const Tally& tally) {
      return fmt::format("{:.0f} %", 100.0 * tally.*count / std::max(1, tally.found));
    };
  };
  const TableColumns<Tally> columns{left("cause made up", &Tally::name),
                                    right("made", &Tally::made), right("found", &Tally::found),
                                    right("first", share(&Tally::first)),
                                    right("of two", share(&Tally::among_two))};
  return table_text(columns, rows) +
         note("first",
              "named first of those found slow; of two: first or second; causes are made up "
              "by the formulas that look for them, on the links that the table shows, and "
              "looked for on those that other tables tell of");
}

}  // namespace

AnswerText detection_text(const std::vector<DetectionTrial>& trials,
                          const std::vector<CauseTrial>& of_causes,
                          const std::vector<SlowCase>& cases) {
  AnswerText text;
  text.screen =
      fmt::format(
          "At 5 % false alarms {:.0f} % of tables that take twice as long are found (known "
          "system), {:.0f} % (unknown system)\n\n",
          100 * found_at_twice(trials, true), 100 * found_at_twice(trials, false)) +
      found_table(trials) +
      note("known", "other tables of that cluster were measured; x: how many times as long") +
      '\n' + slow_cases_table(cases) + '\n' +
      listed_note("next", {"--details for made-up causes and what is in-sample"});
  text.details = rates_table(trials) + '\n' + causes_table(of_causes) + disclosed_text("detection");
  return text;
}

ExplainedRecords detection_records(const std::vector<DetectionTrial>& trials,
                                   const std::vector<CauseTrial>& of_causes) {
  struct Row {
    std::string file;
    bool system_is_known = false;
    std::optional<double> factor{}, deviations{};
    std::optional<bool> is_above{}, is_found{};
    std::string_view made{}, reported{};
  };
  std::vector<Row> rows;
  for (const DetectionTrial& each : trials)
    rows.push_back({.file = each.file,
                    .system_is_known = each.system_is_known,
                    .factor = each.fault.factor,
                    .deviations = each.deviations,
                    .is_above = each.fault.is_above_a_size});
  for (const CauseTrial& each : of_causes)
    rows.push_back({.file = each.file,
                    .system_is_known = each.system_is_known,
                    .is_found = each.is_found,
                    .made = each.made->name,
                    .reported = first_name(each.reported)});
  const TableColumns<Row> columns{
      {"file", &Row::file},
      {"make", [](const Row& row) { return std::string(system_name(row.system_is_known)); },
       "whether tables of such machines were known"},
      {"factor", &Row::factor, "factor by which some sizes were made slower"},
      {"above_a_size", &Row::is_above, "1 where only larger calls were made slower"},
      {"deviations", &Row::deviations, "ln(factor) over its standard deviation"},
      {"cause", [](const Row& row) { return known(row.made); }},
      {"found", &Row::is_found, "1 where the fault was found"},
      {"told", [](const Row& row) { return known(row.reported); }, "cause that was named first"},
      {"not_blind", [](const Row&) { return known(not_blind("detection", "", {})); }}};
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
