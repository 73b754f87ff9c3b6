#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/compare_report.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/plan_report.hpp"
#include "sim/report/run_columns.hpp"
#include "sim/report/scale_report.hpp"
#include "sim/report/step_report.hpp"
#include "sim/sweep/columns.hpp"

namespace tofn {
inline namespace report {
namespace {

using Unit = std::pair<std::string_view, std::string_view>;
/// Endings of names with the units that they state, longest first.
constexpr std::array units{Unit{"_g_per_kwh", "g/kWh"},
                           Unit{"_usd_per_hour", "USD/h"},
                           Unit{"_flop_per_s", "FLOP/s"},
                           Unit{"_per_s_each", "1/s"},
                           Unit{"_flop_a_sample", "FLOP"},
                           Unit{"_per_sample_j", "J"},
                           Unit{"_per_s", "1/s"},
                           Unit{"_s_days", "petaFLOP/s-days"},
                           Unit{"_percent", "%"},
                           Unit{"_hours", "h"},
                           Unit{"_kwh", "kWh"},
                           Unit{"_usd", "USD"},
                           Unit{"_min", "min"},
                           Unit{"_ms", "ms"},
                           Unit{"_gb", "GB"},
                           Unit{"_s", "s"},
                           Unit{"_h", "h"},
                           Unit{"_w", "W"},
                           Unit{"_j", "J"},
                           Unit{"_t", "t"},
                           Unit{"days", "d"}};
constexpr std::array<std::string_view, 5> ends{"_low90", "_high90", "_basis", "_as_runs_went",
                                               "_limit"};

std::string_view without_end(std::string_view name) {
  for (const std::string_view end : ends)
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  return name;
}

std::string_view unit_of(std::string_view name) {
  if (name.ends_with("_basis")) return "";
  const std::string_view figure = without_end(name);
  for (const auto& [end, unit] : units)
    if (figure.ends_with(end)) return unit;
  return "";
}

struct CommandFigures {
  std::string_view command;
  std::vector<ColumnWords> columns;
};

std::vector<CommandFigures> figures_of_commands() {
  std::vector<ColumnWords> of_sweeps;
  for (const PointColumn& column : point_columns())
    of_sweeps.push_back({column.name, column.meaning});
  return {{"predict", run_columns()}, {"scale", scale_columns()},    {"compare", compare_columns()},
          {"step", step_columns()},   {"plan", candidate_columns()}, {"sweep", of_sweeps}};
}

}  // namespace

std::vector<ListedFigure> listed_figures() {
  std::vector<ListedFigure> all;
  std::map<std::string, std::size_t, std::less<>> known;
  for (const auto& [command, columns] : figures_of_commands())
    for (const ColumnWords& column : columns) {
      const auto [at, is_new] = known.emplace(column.name, all.size());
      if (is_new)
        all.push_back({column.name, std::string(unit_of(column.name)), column.meaning, {}});
      auto& commands = all[at->second].commands;
      if (commands.empty() || commands.back() != command) commands.push_back(command);
    }
  return all;
}

Listing list_figures() {
  const std::vector<ListedFigure> all = listed_figures();
  const auto commands = [](const ListedFigure& figure) {
    return fmt::format("{}", fmt::join(figure.commands, " "));
  };
  std::vector<ListedFigure> shown;
  for (const ListedFigure& figure : all)
    if (without_end(figure.name) == figure.name) shown.push_back(figure);
  const TableColumns<ListedFigure> columns{
      {"figure", &ListedFigure::name, left("figure")},
      {"unit", &ListedFigure::unit, left("unit")},
      {"commands", commands, left("in"), "commands whose answers have the column"},
      {"meaning", &ListedFigure::meaning, left("meaning")}};
  return {
      .text = table_text(columns, shown) +
              "Beside a figure stand, where they are known, FIGURE_low90 and FIGURE_high90, the "
              "ends of its\n90 % interval, FIGURE_basis, what it rests on, and "
              "FIGURE_as_runs_went, with the overrun of published runs.\n",
      .records = records_of(columns, all)};
}

}  // namespace report
}  // namespace tofn
