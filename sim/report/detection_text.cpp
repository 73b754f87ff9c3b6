#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/diagnosis/slowed_sizes.hpp"
#include "sim/report/detection_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/text_table.hpp"

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
  int made = 0;
  int found = 0;
  int first = 0;      ///< named first, among those found
  int among_two = 0;  ///< named first or second
};

template <class Counts>
Tally tally_of(const std::vector<CauseTrial>& trials, const Counts& counts) {
  Tally tally;
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

std::vector<std::string> tally_cells(std::string_view name, const Tally& tally) {
  const auto share = [&](int count) {
    return fmt::format("{:.0f} %", 100.0 * count / std::max(1, tally.found));
  };
  return {std::string(name), fmt::format("{}", tally.made), fmt::format("{}", tally.found),
          share(tally.first), share(tally.among_two)};
}

/// Table of the share of faults found by factor, with a line for each rate of false alarms.
std::string found_table(const std::vector<DetectionTrial>& trials) {
  std::vector<TextTable::Column> columns{
      {"system", Align::Left}, {"tables"}, {"false alarms"}, {"deviations"}};
  const auto of_all_sizes = [](const DetectionSummary& summary) {
    return std::span(summary.rates).first((summary.rates.size() + 1) / 2);
  };
  const DetectionSummary any = summary_of(trials, true, 0.05);
  for (const DetectionRate& rate : of_all_sizes(any))
    columns.push_back({fmt::format("{:.1f} x", rate.fault.factor)});
  TextTable table(columns);
  for (const bool known : {true, false})
    for (const double false_alarms : {0.02, 0.05, 0.1, 0.2}) {
      const DetectionSummary summary = summary_of(trials, known, false_alarms);
      std::vector<std::string> cells{
          std::string(system_name(known)), fmt::format("{}", summary.healthy),
          fmt::format("{:.0f} %", 100 * false_alarms), fmt::format("{:.2f}", summary.threshold)};
      for (const DetectionRate& rate : of_all_sizes(summary))
        cells.push_back(fmt::format("{:.0f} %", 100 * rate.found));
      cells.resize(columns.size(), "-");
      table.add(std::move(cells));
    }
  return table.render();
}

/// Share of tables found at twice the time and 5 % false alarms.
double found_at_twice(const std::vector<DetectionTrial>& trials, bool known) {
  const DetectionSummary summary = summary_of(trials, known, 0.05);
  for (const DetectionRate& rate : summary.rates)
    if (rate.fault.factor == 2) return rate.found;
  return 0;
}

std::string rates_table(const std::vector<DetectionTrial>& trials) {
  TextTable table({{"system", Align::Left},
                   {"tables"},
                   {"false alarms"},
                   {"deviations"},
                   {"slower"},
                   {"all sizes"},
                   {"the larger half"}});
  std::string areas;
  for (const bool known : {true, false}) {
    for (const double false_alarms : {0.02, 0.05, 0.1, 0.2}) {
      const DetectionSummary summary = summary_of(trials, known, false_alarms);
      for (std::size_t i = 0; 2 * i < summary.rates.size(); ++i) {
        const DetectionRate& whole = summary.rates[i];
        const DetectionRate& above = summary.rates[i + summary.rates.size() / 2];
        table.add({std::string(system_name(known)), fmt::format("{}", summary.healthy),
                   fmt::format("{:.0f} %", 100 * false_alarms),
                   fmt::format("{:.2f}", summary.threshold),
                   fmt::format("{:.1f} x", whole.fault.factor),
                   fmt::format("{:.0f} %", 100 * whole.found),
                   fmt::format("{:.0f} %", 100 * above.found)});
      }
    }
    areas += fmt::format("{}{} system {:.3f}", areas.empty() ? "" : ", ", system_name(known),
                         summary_of(trials, known, 0.05).area);
  }
  return table.render() +
         note("area", "under the curve of false alarms and finds at 2 x: " + areas) +
         note("deviations",
              fmt::format("that so many healthy tables pass; `tofn collective --check` "
                          "alarms from {:.1f} and {:.1f}",
                          alarm_deviations(true), alarm_deviations(false)));
}

std::string slow_cases_table(const std::vector<SlowCase>& cases) {
  TextTable table({{"slow table", Align::Left},
                   {"ranks"},
                   {"sizes"},
                   {"slower"},
                   {"cause", Align::Left},
                   {"named", Align::Left}});
  for (const SlowCase& each : cases) {
    const auto& slow = each.judgement.slow;
    table.add({each.table.source, fmt::format("{}", each.table.ranks),
               fmt::format("{}", each.table.rows.size()),
               slow ? fmt::format("{:.2g} x", slow->factor) : "not found", each.cause,
               std::string(first_name(each.judgement.likely))});
  }
  return table.render();
}

std::string causes_table(const std::vector<CauseTrial>& trials) {
  TextTable table({{"cause made up", Align::Left}, {"made"}, {"found"}, {"first"}, {"of two"}});
  for (const SlownessCause& cause : causes()) {
    const Tally tally =
        tally_of(trials, [&](const CauseTrial& trial) { return trial.made == &cause; });
    if (tally.made > 0) table.add(tally_cells(cause.name, tally));
  }
  for (const bool is_known : {true, false})
    for (const bool is_sweep : {true, false})
      table.add(
          tally_cells(fmt::format("{} system, {}", system_name(is_known),
                                  is_sweep ? "64 KiB and less to 64 MiB and more" : "fewer sizes"),
                      tally_of(trials, [&](const CauseTrial& trial) {
                        return trial.system_is_known == is_known && trial.is_sweep == is_sweep;
                      })));
  table.add(tally_cells("all", tally_of(trials, [](const CauseTrial&) { return true; })));
  return table.render() +
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
      {"factor", &Row::factor, "by which some sizes were found slower"},
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
