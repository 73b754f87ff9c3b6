#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

double batch_of(const RunEstimate& estimate) { return estimate.plan.global_batch(); }

/// Cell of a figure; shares are in %, without the sign.
std::string cell(const RunFigure& figure, double value) {
  return figure.kind == FigureKind::Share ? percent(value) : short_figure(value);
}

/// True for figures that say nothing about a single step: the number of steps and totals of a run.
bool is_of_runs(const RunFigure& figure) {
  constexpr std::array of_runs{&RunFigures::steps,        &RunFigures::days,
                               &RunFigures::goodput,      &RunFigures::training_seconds,
                               &RunFigures::lost_seconds, &RunFigures::seconds,
                               &RunFigures::co2_tonnes};
  return std::find(of_runs.begin(), of_runs.end(), figure.value) != of_runs.end();
}

/// Cell with the expected value, which includes the overrun of published runs if there is one.
std::string expected_cell(const RunFigure& figure, const RunEstimate& run) {
  const auto value = run.typical(figure);
  return value && *value != 0 ? cell(figure, *value) : "-";
}

std::string memory_cell(const JobSize& size) {
  if (size.estimate->expected.memory_gigabytes == 0) return "-";
  return short_figure(size.estimate->expected.memory_gigabytes) + (size.fits ? "" : "!");
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

std::string range_text(const RunFigure& figure, const RunEstimate& estimate) {
  const Interval range = estimate.interval(figure);
  const std::optional<double> high = upper_end(range);
  return fmt::format("{} to {}", cell(figure, range.low),
                     high ? figure_text(figure, *high) : "no end");
}

std::string job_sizes_table(std::span<const JobSize> sizes) {
  if (sizes.empty()) return {};
  const bool has_batches = !have_one_batch(sizes);
  const bool is_one_step = sizes.front().estimate->expected.days == 0;
  const bool has_overrun = !is_one_step && !sizes.front().estimate->overrun.is_none();
  const bool has_losses = std::any_of(sizes.begin(), sizes.end(), [](const JobSize& size) {
    return size.days_to_default_loss.has_value();
  });
  std::vector<const RunFigure*> shown{&figure_of(&RunFigures::step_seconds),
                                      &figure_of(&RunFigures::mfu)};
  if (is_one_step)
    shown.push_back(&figure_of(&RunFigures::tokens_per_second));
  else
    shown.insert(shown.end(),
                 {&figure_of(&RunFigures::usd), &figure_of(&RunFigures::kilowatt_hours)});
  using Row = JobSize;
  const auto expected = [](const RunFigure& figure) {
    return TableColumn<Row>(right(std::string(figure.head), [&figure](const Row& r) {
      return expected_cell(figure, *r.estimate);
    }));
  };
  TableColumns<Row> columns{right("N", &Row::accelerators)};
  if (has_batches)
    columns.push_back(
        right("batch", [](const Row& r) { return count_text(batch_of(*r.estimate), 4); }));
  if (!is_one_step) {
    const auto range = [](const Row& r) {
      return range_text(r.estimate->time_figure(), *r.estimate);
    };
    const auto simulated = [](const Row& r) {
      const RunFigure& time = r.estimate->time_figure();
      return cell(time, r.estimate->expected.*time.value);
    };
    const auto same_loss = [](const Row& r) {
      return r.days_to_default_loss.value_or(r.estimate->expected.days);
    };
    const auto time = [](const Row& r) {
      return expected_cell(r.estimate->time_figure(), *r.estimate);
    };
    columns.push_back(right(std::string(sizes.front().estimate->time_figure().head), time));
    columns.push_back(right("90 %", range));
    if (has_overrun) columns.push_back(right("simulated", simulated));
    if (has_losses) columns.push_back(right("same loss", same_loss, short_figure));
  }
  for (const RunFigure* figure : shown) columns.push_back(expected(*figure));
  columns.push_back(right("GB", memory_cell));
  const bool all_fit =
      std::all_of(sizes.begin(), sizes.end(), [](const auto& size) { return size.fits; });
  return table_text(columns, sizes) + (all_fit ? "" : "!: it does not fit the memory\n");
}

std::string job_plans_table(std::span<const JobSize> sizes) {
  std::vector<std::pair<int, const Plan*>> plans;
  for (const JobSize& size : sizes) plans.emplace_back(size.accelerators, &size.estimate->plan);
  return plans_table(plans);
}

std::string figures_table(const RunEstimate& estimate) {
  const auto is_shown = [&](const RunFigure& figure) {
    const auto value = estimate.value(figure);
    const bool is_printed_as_days =
        figure.value == &RunFigures::score_minutes && !estimate.is_scored;
    return value && *value != 0 && !(estimate.is_one_step && is_of_runs(figure)) &&
           !is_printed_as_days;
  };
  const auto range = [&](const RunFigure& figure) {
    const Interval interval = estimate.interval(figure);
    return interval.low == interval.high ? "" : range_text(figure, estimate);
  };
  const auto expected = [&](const RunFigure& figure) { return *estimate.typical(figure); };
  TableColumns<RunFigure> columns{
      left("", &RunFigure::title),
      right("expected", [&](const RunFigure& f) { return figure_text(f, expected(f)); }),
      right("90 %", range)};
  if (!estimate.is_one_step && !estimate.overrun.is_none())
    columns.push_back(right("simulated", [&](const RunFigure& f) {
      const double value = *estimate.value(f);
      return expected(f) == value ? "" : figure_text(f, value);
    }));
  columns.push_back(left("basis", [&](const RunFigure& f) { return estimate.basis_of(f); }));
  std::vector<RunFigure> shown;
  std::copy_if(run_figures.begin(), run_figures.end(), std::back_inserter(shown), is_shown);
  return table_text(columns, shown) + "`tofn explain NAME` defines a figure\n";
}

}  // namespace report
}  // namespace tofn
