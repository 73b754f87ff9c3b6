#include "sim/report/validate_report.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/core/words.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/formats/text/stated_placement.hpp"
#include "sim/report/accuracy_table.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords validate_records(const ScoringProtocol& protocol,
                                  const std::vector<ScoredRow>& rows) {
  using Row = ScoredRow;
  const auto microseconds = [](Seconds time) { return time.base() * 1e6; };
  const TableColumns<Row> columns{
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
      {"beyond", &Row::beyond, "factor by which the row lies beyond what was measured"},
      {"calibrated_nodes", &Row::calibrated_nodes, "node counts that the curve is fitted to"},
      {"fault", of_its(&Row::fault, known), "fault that lint finds in the table"},
      {"laboratory", of_its(&Row::laboratory, known),
       "laboratory whose tables were left out with the row's"},
      {"taught", of_its(&Row::taught, known), "constants that the table set"},
      {"not_blind",
       [&](const Row&) { return known(not_blind("collectives", protocol.name, {})); }}};
  return records_of(columns, rows);
}

namespace {

template <class Condition>
std::vector<ScoredRow> rows_where(const std::vector<ScoredRow>& rows, const Condition& holds) {
  std::vector<ScoredRow> chosen;
  std::ranges::copy_if(rows, std::back_inserter(chosen), holds);
  return chosen;
}

TableColumns<Accuracy> columns_of_files() {
  return {right("rows", &Accuracy::count),
          right("median", &Accuracy::median, percent),
          right("p90", &Accuracy::ninetieth, percent),
          right("worst", &Accuracy::worst, percent),
          right("bias", &Accuracy::bias, signed_percent),
          right("in 90 %", share_inside, percent)};
}

using FileRows = std::pair<std::string, std::vector<ScoredRow>>;

/// Groups the rows by file, in order of appearance.
std::vector<FileRows> by_file(const std::vector<ScoredRow>& rows) {
  std::vector<FileRows> files;
  for (const ScoredRow& row : rows) {
    auto file = std::ranges::find(files, row.file, &FileRows::first);
    if (file == files.end()) file = files.insert(files.end(), {row.file, {}});
    file->second.push_back(row);
  }
  return files;
}

std::string files_table(const std::vector<FileRows>& files, const char* head) {
  AccuracyTable table(head, columns_of_files());
  for (const auto& [file, rows] : files) table.add(file, accuracy_of(rows));
  return table.render();
}

/// Returns the files with the largest median errors.
std::vector<FileRows> worst_files(std::vector<FileRows> files) {
  constexpr std::size_t most = 10;
  const auto off = [](const FileRows& file) { return accuracy_of(file.second).median; };
  std::ranges::stable_sort(files,
                           [&](const FileRows& a, const FileRows& b) { return off(a) > off(b); });
  files.resize(std::min(most, files.size()));
  return files;
}

/// Table of errors overall; tables in which lint finds faults have lines of their own.
std::string groups_table(const std::vector<ScoredRow>& rows) {
  AccuracyTable table("error in %", columns_of_files());
  const auto add = [&](const std::string& name, const std::vector<ScoredRow>& chosen) {
    table.add(name, accuracy_of(chosen));
  };
  const auto is_sound = [](const ScoredRow& row) { return row.fault.empty(); };
  const auto is_all_reduce = [](const ScoredRow& row) {
    return row.collective == CollectiveKind::AllReduce;
  };
  const auto sound = rows_where(rows, is_sound);
  add("all-reduce", rows_where(sound, is_all_reduce));
  add("the others", rows_where(sound, [&](const auto& row) { return !is_all_reduce(row); }));
  add("all", sound);
  if (sound.size() < rows.size()) {
    add("tables that lint names",
        rows_where(rows, [&](const auto& row) { return !is_sound(row); }));
    add("all, with those", rows);
  }
  const auto is_independent = [](const ScoredRow& row) { return row.taught.empty(); };
  const auto independent = rows_where(rows, is_independent);
  if (independent.size() < rows.size()) {
    add("in-sample", rows_where(rows, [&](const auto& row) { return !is_independent(row); }));
    add("independent", independent);
  }
  return table.render();
}

std::string faults_text(const std::vector<ScoredRow>& rows) {
  std::string text;
  std::string last;
  for (const ScoredRow& row : rows) {
    if (row.fault.empty() || row.file == last) continue;
    text += note("lint", fmt::format("{}: {}", row.file, row.fault));
    last = row.file;
  }
  return text;
}

/// Lines on the answers far beyond their calibration, by file.
std::string beyond_text(const std::vector<ScoredRow>& rows) {
  std::map<std::string, std::vector<double>> files;
  for (const ScoredRow& row : rows)
    if (row.beyond > far_beyond) files[row.file].push_back(row.beyond);
  std::string text;
  for (const auto& [file, ratios] : files)
    text +=
        note("extrapolated", fmt::format("{}: {} rows, up to {:.3g} x beyond what was measured",
                                         file, ratios.size(), *std::ranges::max_element(ratios)));
  return text;
}

/// Lines on the laboratories whose tables are in-sample, and what was fitted to them.
std::string taught_text(const std::vector<ScoredRow>& rows) {
  std::string text;
  std::vector<std::string> shown;
  for (const ScoredRow& row : rows) {
    if (row.taught.empty() || std::ranges::find(shown, row.laboratory) != shown.end()) continue;
    shown.push_back(row.laboratory);
    const auto own = rows_where(
        rows, [&](const ScoredRow& other) { return other.laboratory == row.laboratory; });
    text += note("in-sample", fmt::format("{} ({}) set {}", row.laboratory,
                                          counted(own.size(), "row"), row.taught));
  }
  return text;
}

}  // namespace

std::string validate_notes(const Scores& scores, const std::vector<std::string>& unread) {
  std::string text = faults_text(scores.rows) + beyond_text(scores.rows) + taught_text(scores.rows);
  for (const Unscored& each : scores.left_out)
    text += note("not scored", fmt::format("{}: {}", each.file, each.reason));
  for (const std::string& line : unread) text += note("not read", line);
  return text;
}

AnswerText validate_text(const ScoringProtocol& protocol, const std::vector<ScoredRow>& rows) {
  const std::vector<FileRows> files = by_file(rows);
  const Accuracy all = accuracy_of(rows);
  AnswerText text;
  text.screen =
      fmt::format("{} rows of {}, protocol {}: {} % off in the median, {} % in nine of ten\n\n",
                  rows.size(), counted(files.size(), "table"), protocol.name, percent(all.median),
                  percent(all.ninetieth)) +
      groups_table(rows) + '\n' + files_table(worst_files(files), "farthest off") + '\n' +
      note("protocol", protocol.what) +
      note("columns",
           "median, p90, worst: |predicted/measured - 1|; in 90 %: share inside the range") +
      listed_note("next", {"--details for all tables and what is left out", "--protocol NAME"});
  text.details = files_table(files, "table") + disclosed_text("collectives", protocol.name);
  return text;
}

}  // namespace report
}  // namespace tofn
