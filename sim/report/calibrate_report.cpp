#include "sim/report/calibrate_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/curves/fit_nodes.hpp"
#include "sim/curves/repeats.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords calibrate_records(const std::vector<FittedTable>& fitted) {
  struct Row {
    const FittedTable* fitted;
    std::string_view form;
    const HeldOutError* error;  ///< nullptr: too few rows to hold any out
  };
  std::vector<Row> rows;
  for (const FittedTable& each : fitted) {
    for (const HeldOutError& error : each.fit.candidates)
      rows.push_back({&each, error.form, &error});
    if (each.fit.candidates.empty()) rows.push_back({&each, each.fit.form, nullptr});
  }
  const auto of_table = [](auto figure) {
    return of_its(&Row::fitted, &FittedTable::table, figure);
  };
  const TableColumns<Row> columns{
      {"file", of_table(&CollectiveTable::file)},
      {"collective", of_table(of_its(&CollectiveTable::collective, collective_name))},
      {"ranks", of_table(&CollectiveTable::ranks)},
      {"nodes", of_table(&CollectiveTable::nodes)},
      {"rows", of_table([](const CollectiveTable& t) { return t.rows.size(); }),
       "rows of the table"},
      {"form", &Row::form, "form of the curve"},
      {"is_chosen", [](const Row& r) { return r.form == r.fitted->fit.form; },
       "1 for the form that is taken"},
      {"held_out_median", of_its(&Row::error, &HeldOutError::median),
       "median error at sizes that were left out"},
      {"held_out_p90", of_its(&Row::error, &HeldOutError::ninetieth),
       "90th percentile of the error at sizes that were left out"}};
  return records_of(columns, rows);
}

namespace {

constexpr int suggestions = 3;
constexpr int reach = 4;  // largest ratio to the measured nodes that is suggested

std::vector<std::string_view> forms_of(const std::vector<FittedTable>& fitted) {
  std::vector<std::string_view> forms;
  for (const FittedTable& each : fitted)
    for (const HeldOutError& error : each.fit.candidates)
      if (std::ranges::find(forms, error.form) == forms.end()) forms.push_back(error.form);
  return forms;
}

/// Cell such as `1.2/3.4`: median and 90th percentile in %.
std::string error_cell(const CurveFit& fit, std::string_view form) {
  for (const HeldOutError& error : fit.candidates)
    if (error.form == form)
      return fmt::format("{:.1f}/{:.1f}", 100 * error.median, 100 * error.ninetieth);
  return "-";
}

std::string forms_text(const std::vector<FittedTable>& fitted) {
  using Row = FittedTable;
  const auto of_table = [](auto... figure) { return of_its(&Row::table, figure...); };
  TableColumns<Row> columns{
      left("table", of_table(&CollectiveTable::file)),
      left("collective", of_table(&CollectiveTable::collective, collective_name)),
      right("ranks", of_table(&CollectiveTable::ranks)),
      right("nodes", of_table(&CollectiveTable::nodes)),
      right("rows", of_table([](const CollectiveTable& t) { return t.rows.size(); })),
      left("curve", of_its(&Row::fit, &CurveFit::form))};
  for (const std::string_view form : forms_of(fitted))
    columns.push_back(
        right(std::string(form), [=](const Row& row) { return error_cell(row.fit, form); }));
  return table_text(columns, fitted) +
         "  right of the curve's form: |predicted/measured - 1| at rows held out, median/90th\n"
         "  percentile in %; -: too few rows to hold any out\n";
}

/// Text such as `64 KiB on 32 nodes (interval x1.8)`.
std::string suggestion_text(const Suggestion& suggestion) {
  return fmt::format("{}{} (interval x{:.2f})", to_text(suggestion.size),
                     suggestion.nodes > 0 ? " on " + counted(suggestion.nodes, "node") : "",
                     suggestion.width);
}

std::string joined(const std::vector<Suggestion>& all) {
  std::string text;
  for (const Suggestion& each : all)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", suggestion_text(each));
  return text;
}

std::string notes_text(const FittedTable& fitted, const Reach& within) {
  const std::string name =
      fmt::format("{}, {}", fitted.table.file, collective_name(fitted.table.collective));
  std::string text;
  for (const Remark& remark : fitted.fit.remarks)
    text += fmt::format("  {}: {}\n", name, remark.text);
  const auto next = measure_next(fitted.fit.curve, suggestions, within);
  if (!next.empty()) text += fmt::format("  {}: measure next {}\n", name, joined(next));
  return text;
}

/// Slope of the time at the smallest size per doubling of nodes, by least squares. One node crosses
/// no network, so it is left out if there are two larger counts.
double latency_per_doubling(const NodesFit& fit, Bytes size) {
  std::vector<std::pair<double, double>> points;
  const auto larger = std::distance(fit.measured.upper_bound(1), fit.measured.end());
  for (const auto& [nodes, curve] : fit.measured)
    if (nodes > 1 || larger < 2)
      points.emplace_back(std::log2(nodes), curve.curve.at(size).time.base());
  double x = 0;
  double y = 0;
  for (const auto& [doublings, time] : points) {
    x += doublings / static_cast<double>(points.size());
    y += time / static_cast<double>(points.size());
  }
  double xx = 0;
  double xy = 0;
  for (const auto& [doublings, time] : points) {
    xx += (doublings - x) * (doublings - x);
    xy += (doublings - x) * (time - y);
  }
  return xy / xx;
}

using NodeTables = std::vector<CollectiveTable>;

/// Groups of tables of one collective that differ only in their number of nodes.
std::vector<NodeTables> groups_of(const std::vector<FittedTable>& fitted) {
  std::map<std::tuple<CollectiveKind, int, std::string, std::string, std::string>, NodeTables>
      groups;
  for (const auto& [table, fit] : fitted) {
    if (table.ranks % table.nodes != 0)
      continue;  // uneven nodes cannot be compared with other tables
    groups[{table.collective, table.ranks / table.nodes, table.type, table.algorithm,
            table.protocol}]
        .push_back(table);
  }
  std::vector<NodeTables> all;
  for (auto& [key, group] : groups) {
    std::ranges::stable_sort(group, [](const auto& a, const auto& b) { return a.nodes < b.nodes; });
    const auto repeats =  // keeps the first of several runs on as many nodes
        std::unique(group.begin(), group.end(),
                    [](const auto& a, const auto& b) { return a.nodes == b.nodes; });
    group.erase(repeats, group.end());
    if (group.size() > 1) all.push_back(std::move(group));
  }
  return all;
}

std::string nodes_text(const NodeTables& group, const Reach& within) {
  const NodesFit fit = fit_nodes(group);
  Bytes smallest;
  for (const CollectiveTable& table : group) smallest = std::max(smallest, table.rows.front().size);
  const CollectiveTable& widest = group.back();
  const CollectiveRow& last = widest.rows.back();
  const BytesPerSecond plateau =
      last.size / last.time() * bus_factor_of(widest.collective, widest.ranks);
  std::string text = fmt::format(
      "{}, {} ranks a node, {} to {} nodes: {:+.3g} us per doubling of nodes at {}; bus bandwidth "
      "{} at {} on {} nodes\n",
      collective_name(widest.collective), fit.ranks_per_node, group.front().nodes, widest.nodes,
      1e6 * latency_per_doubling(fit, smallest), to_text(smallest), to_text(plateau),
      to_text(last.size), widest.nodes);
  for (const std::string& warning : fit.warnings) text += fmt::format("  {}\n", warning);
  const auto next = measure_next(fit, reach * widest.nodes, suggestions, within);
  if (!next.empty()) text += fmt::format("  measure next {}\n", joined(next));
  return text;
}

std::vector<const CollectiveTable*> tables_of(const std::vector<FittedTable>& fitted) {
  std::vector<const CollectiveTable*> tables;
  for (const FittedTable& each : fitted) tables.push_back(&each.table);
  return tables;
}

std::string repeats_text(const RepeatedTable& repeated) {
  const CollectiveTable& first = *repeated.tables.front();
  using Row = RepeatedSize;
  const TableColumns<Row> columns{
      right("size", &Row::size),
      right("median", [](const Row& r) { return Seconds(r.median); }),
      right("least", [](const Row& r) { return Seconds(std::ranges::min(r.seconds)); }),
      right("most", [](const Row& r) { return Seconds(std::ranges::max(r.seconds)); }),
      right("another job, from", [](const Row& r) { return Seconds(r.another.low); }),
      right("to", [](const Row& r) { return Seconds(r.another.high); })};
  std::string title =
      fmt::format("{} of {} ranks on {}, by {} jobs\n", collective_name(first.collective),
                  first.ranks, counted(first.nodes, "node"), repeated.tables.size());
  title += table_text(columns, repeated.sizes);
  title += "  another job: 95 %, Student's t of the jobs' times; ";
  return title + (repeated.request == 0
                      ? "a third job can tell whether it holds\n"
                      : fmt::format("{} of {} times lay in that of the jobs before them\n",
                                    repeated.foretold, repeated.request));
}

}  // namespace

std::string calibrate_text(const std::vector<FittedTable>& fitted, const Reach& within) {
  std::string text = forms_text(fitted);
  for (const FittedTable& each : fitted) text += notes_text(each, within);
  for (const NodeTables& group : groups_of(fitted)) text += nodes_text(group, within);
  for (const RepeatedTable& table : repeats_among(tables_of(fitted))) text += repeats_text(table);
  return text;
}

}  // namespace report
}  // namespace tofn
