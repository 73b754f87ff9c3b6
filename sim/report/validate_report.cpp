#include "sim/report/validate_report.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/measurements/stated_placement.hpp"
#include "sim/report/accuracy_table.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

Records validate_records(const ScoringProtocol& protocol, const std::vector<ScoredRow>& rows) {
  using Row = ScoredRow;
  const auto microseconds = [](Seconds time) { return time.base() * 1e6; };
  const Columns<Row> columns{
      {"file", &Row::file},
      {"collective", of_its(&Row::collective, collective_name)},
      {"ranks", &Row::ranks},
      {"nodes", &Row::nodes},
      {"size", [](const Row& r) { return static_cast<long long>(r.size.base()); }},
      {"measured_us", of_its(&Row::measured, microseconds)},
      {"predicted_us", of_its(&Row::predicted, microseconds)},
      {"low_us", of_its(&Row::low, microseconds)},
      {"high_us", of_its(&Row::high, microseconds)},
      {"basis", &Row::basis},
      {"beyond", &Row::beyond},
      {"calibrated_nodes", &Row::calibrated_nodes},
      {"fault", of_its(&Row::fault, known)},
      {"laboratory", of_its(&Row::laboratory, known)},
      {"taught", of_its(&Row::taught, known)},
      {"not_blind",
       [&](const Row&) { return known(not_blind("collectives", protocol.name, {})); }}};
  return records_of(columns, rows);
}

namespace {

template <class Condition>
std::vector<ScoredRow> rows_where(const std::vector<ScoredRow>& rows, const Condition& holds) {
  std::vector<ScoredRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), holds);
  return chosen;
}

/// Per file in order of appearance, then in all; what lint distrusts in lines of its own.
std::string table_text(const std::vector<ScoredRow>& rows) {
  AccuracyTable summary("file", {{"rows", count_cell},
                                 {"median", median_cell},
                                 {"p90", ninetieth_cell},
                                 {"worst", worst_cell},
                                 {"bias", bias_cell},
                                 {"in 90 %", inside_cell}});
  const auto add = [&](const std::string& name, const std::vector<ScoredRow>& chosen) {
    summary.add(name, accuracy_of(chosen));
  };
  std::vector<std::string> files;
  for (const ScoredRow& row : rows)
    if (std::find(files.begin(), files.end(), row.file) == files.end()) files.push_back(row.file);
  for (const std::string& file : files)
    add(fitted(file, 62), rows_where(rows, [&](const auto& r) { return r.file == file; }));
  const auto is_sound = [](const ScoredRow& row) { return row.fault.empty(); };
  const auto is_all_reduce = [](const ScoredRow& row) {
    return row.collective == CollectiveKind::AllReduce;
  };
  const auto sound = rows_where(rows, is_sound);
  add("= all-reduce", rows_where(sound, is_all_reduce));
  add("= the others", rows_where(sound, [&](const auto& row) { return !is_all_reduce(row); }));
  add("= all", sound);
  if (sound.size() < rows.size()) {
    add("= tables that lint names below",
        rows_where(rows, [&](const auto& row) { return !is_sound(row); }));
    add("= all, with those", rows);
  }
  const auto is_blind = [](const ScoredRow& row) { return row.taught.empty(); };
  const auto blind = rows_where(rows, is_blind);
  if (blind.size() < rows.size()) {
    add("= of laboratories whose tables set figures of the formulas",
        rows_where(rows, [&](const auto& row) { return !is_blind(row); }));
    add("= blind", blind);
  }
  return summary.render();
}

std::string faults_text(const std::vector<ScoredRow>& rows) {
  std::string text;
  std::string last;
  for (const ScoredRow& row : rows) {
    if (row.fault.empty() || row.file == last) continue;
    text += fmt::format("  lint: {}: {}\n", row.file, row.fault);
    last = row.file;
  }
  return text;
}

/// Answers far outside what calibrated them, by file.
std::string beyond_text(const std::vector<ScoredRow>& rows) {
  std::map<std::string, std::vector<double>> files;
  for (const ScoredRow& row : rows)
    if (row.beyond > far_beyond) files[row.file].push_back(row.beyond);
  std::string text;
  for (const auto& [file, ratios] : files)
    text += fmt::format("  extrapolated: {}: {} rows, up to {:.3g} x beyond what was measured\n",
                        file, ratios.size(), *std::max_element(ratios.begin(), ratios.end()));
  return text;
}

/// Which laboratories are no blind test, and of what.
std::string taught_text(const std::vector<ScoredRow>& rows) {
  std::string text;
  std::vector<std::string> told;
  for (const ScoredRow& row : rows) {
    if (row.taught.empty() || std::find(told.begin(), told.end(), row.laboratory) != told.end())
      continue;
    told.push_back(row.laboratory);
    const auto own = rows_where(
        rows, [&](const ScoredRow& other) { return other.laboratory == row.laboratory; });
    text +=
        fmt::format("  not blind: {} ({} rows) set {}\n", row.laboratory, own.size(), row.taught);
  }
  return text;
}

}  // namespace

std::string validate_notes(const Scores& scores, const std::vector<std::string>& unread) {
  std::string text = faults_text(scores.rows) + beyond_text(scores.rows) + taught_text(scores.rows);
  for (const Unscored& each : scores.left_out)
    text += fmt::format("  not scored: {}: {}\n", each.file, each.reason);
  for (const std::string& line : unread) text += fmt::format("  not read: {}\n", line);
  return text;
}

std::string validate_text(const ScoringProtocol& protocol, const std::vector<ScoredRow>& rows) {
  return fmt::format(
      "protocol {}: {}; errors in %\n{}"
      "  median, p90, worst: |predicted/measured - 1|; bias: its signed mean; in 90 %: share of\n"
      "  measurements inside their 90 % interval\n{}",
      protocol.name, protocol.what, table_text(rows), disclosed_text("collectives", protocol.name));
}

}  // namespace report
}  // namespace tofn
