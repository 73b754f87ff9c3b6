#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

double batch_of(const RunEstimate& estimate) { return estimate.plan.global_batch(); }

/// Without the sign of a share.
std::string cell(const RunFigure& figure, double value) {
  switch (figure.kind) {
    case FigureKind::Count:
      return count_text(value, 4);
    case FigureKind::Share:
      return percent(value);
    case FigureKind::Plain:
      break;
  }
  return short_figure(value);
}

/// Whether a column of it does: what was asked for of every size alike, and what is known of none,
/// goes without saying.
bool says_something(const RunFigure& figure, std::span<const JobSize> sizes) {
  if (figure.head.empty()) return false;
  const auto value = [&](const JobSize& size) { return size.estimate->value(figure); };
  const bool is_benchmark = sizes.front().estimate->benchmark != nullptr;
  if (figure.value == &RunFigures::days && is_benchmark) return false;
  if (figure.value == &RunFigures::score_minutes && !is_benchmark) return false;
  if (!value(sizes.front())) return figure.value == &RunFigures::usd;
  if (figure.rests_on == RestsOn::Request)
    return std::any_of(sizes.begin(), sizes.end(), [&](const JobSize& size) {
      return std::abs(*value(size) / *value(sizes.front()) - 1) > 1e-9;
    });
  return figure.value == &RunFigures::usd ||
         std::any_of(sizes.begin(), sizes.end(),
                     [&](const JobSize& size) { return value(size).value_or(0) > 0; });
}

/// Of one step neither its count nor what a run adds up to says anything.
bool is_of_runs(const RunFigure& figure) {
  constexpr std::array of_runs{&RunFigures::steps,        &RunFigures::days,
                               &RunFigures::goodput,      &RunFigures::training_seconds,
                               &RunFigures::lost_seconds, &RunFigures::seconds,
                               &RunFigures::co2_tonnes};
  return std::find(of_runs.begin(), of_runs.end(), figure.value) != of_runs.end();
}

/// What a table gives with its interval: days, or minutes of a benchmark.
bool is_time(const RunFigure& figure) {
  return figure.value == &RunFigures::days || figure.value == &RunFigures::score_minutes;
}

/// What a table of sizes shows of each.
struct SizeColumns {
  std::vector<const RunFigure*> shown;
  bool has_batches = false;
  bool overruns = false;
  bool has_losses = false;
};

SizeColumns size_columns(std::span<const JobSize> sizes) {
  SizeColumns columns;
  for (const RunFigure& figure : run_figures)
    if (says_something(figure, sizes)) columns.shown.push_back(&figure);
  columns.has_batches = !have_one_batch(sizes);
  columns.overruns = !sizes.empty() && !sizes.front().estimate->overrun.is_none();
  columns.has_losses = std::any_of(sizes.begin(), sizes.end(), [](const JobSize& size) {
    return size.days_to_default_loss.has_value();
  });
  return columns;
}

std::vector<TextTable::Column> size_heads(const SizeColumns& columns) {
  std::vector<TextTable::Column> heads{{"N"}};
  if (columns.has_batches) heads.push_back({"batch"});
  for (const RunFigure* figure : columns.shown) {
    heads.push_back({std::string(figure->head)});
    if (is_time(*figure) && columns.has_losses) heads.push_back({"same loss"});
    if (columns.overruns && overruns(*figure)) heads.push_back({head_as_runs_went(*figure)});
    if (is_time(*figure)) heads.push_back({"90 %"});
  }
  heads.push_back({"plan", Align::Left});
  return heads;
}

std::vector<std::string> size_cells(const SizeColumns& columns, const JobSize& size) {
  const RunEstimate& estimate = *size.estimate;
  std::vector<std::string> cells{fmt::format("{}", size.accelerators)};
  if (columns.has_batches) cells.push_back(count_text(batch_of(estimate), 4));
  for (const RunFigure* figure : columns.shown) {
    const auto value = estimate.value(*figure);
    cells.push_back(value ? cell(*figure, *value) : "-");
    if (figure->value == &RunFigures::memory_gigabytes && !size.fits) cells.back() += "!";
    if (is_time(*figure) && columns.has_losses)
      cells.push_back(short_figure(size.days_to_default_loss.value_or(*value)));
    if (columns.overruns && overruns(*figure))
      cells.push_back(value ? cell(*figure, *estimate.usual(*figure)) : "-");
    if (is_time(*figure)) cells.push_back(range_text(*figure, estimate));
  }
  cells.push_back(plan_words(estimate.plan));
  return cells;
}

}  // namespace

bool have_one_batch(std::span<const JobSize> sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [&](const JobSize& size) {
    return batch_of(*size.estimate) == batch_of(*sizes.front().estimate);
  });
}

std::string figure_text(const RunFigure& figure, double value) {
  return cell(figure, value) + (figure.kind == FigureKind::Share ? " %" : "");
}

std::string head_as_runs_went(const RunFigure& figure) {
  return fmt::format("{} as runs went", figure.head);
}

std::string range_text(const RunFigure& figure, const RunEstimate& estimate) {
  const Interval range = estimate.interval(figure);
  const std::optional<double> high = upper_end(range);
  return fmt::format("{}-{}", figure_text(figure, range.low),
                     high ? figure_text(figure, *high) : "no end");
}

std::string days_text(const RunEstimate& estimate) {
  const RunFigure& days =
      *std::find_if(run_figures.begin(), run_figures.end(),
                    [](const RunFigure& figure) { return figure.value == &RunFigures::days; });
  const std::string simulated = short_figure(estimate.expected.days);
  const std::string interval = "90 % interval " + range_text(days, estimate);
  if (estimate.overrun.is_none()) return fmt::format("{} days, {}", simulated, interval);
  return fmt::format("{} days simulated, {} as published runs went, {}", simulated,
                     short_figure(*estimate.usual(days)), interval);
}

std::string job_sizes_table(std::span<const JobSize> sizes) {
  const SizeColumns columns = size_columns(sizes);
  TextTable table(size_heads(columns));
  for (const JobSize& size : sizes) table.add(size_cells(columns, size));
  return table.render() +
         (columns.overruns ? "simulated, unless said to be as published runs went\n" : "");
}

std::string figures_table(const RunEstimate& estimate, bool is_one_step) {
  const bool overruns = !estimate.overrun.is_none();
  std::vector<TextTable::Column> columns{{"", Align::Left}, {overruns ? "simulated" : "value"}};
  if (overruns) columns.push_back({"as runs went"});
  for (const TextTable::Column& each : std::initializer_list<TextTable::Column>{
           {"90 %"}, {"basis", Align::Left}, {"how", Align::Left}})
    columns.push_back(each);
  TextTable table(columns);
  for (const RunFigure& figure : run_figures) {
    const auto value = estimate.value(figure);
    if (!value || *value == 0 || (is_one_step && is_of_runs(figure))) continue;
    if (figure.value == &RunFigures::score_minutes && !estimate.benchmark) continue;  // as days
    const Interval interval = estimate.interval(figure);
    std::vector<std::string> cells{std::string(figure.title), figure_text(figure, *value)};
    const double usual = *estimate.usual(figure);
    if (overruns) cells.push_back(usual == *value ? "" : figure_text(figure, usual));
    cells.push_back(interval.low == interval.high ? "" : range_text(figure, estimate));
    cells.emplace_back(estimate.basis_of(figure));
    cells.emplace_back(figure.definition);
    table.add(std::move(cells));
  }
  return table.render();
}

}  // namespace report
}  // namespace tofn
