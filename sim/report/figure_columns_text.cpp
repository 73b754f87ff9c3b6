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
  return std::ranges::find(of_runs, figure.value) != of_runs.end();
}

/// Cell with the expected value, which includes the overrun of published runs if there is one.
std::string expected_cell(const RunFigure& figure, const RunEstimate& run) {
  const auto value = run.typical(figure);
  return value && *value != 0 ? cell(figure, *value) : "-";
}

std::string memory_cell(const RunSize& size) {
  if (size.estimate->expected.memory_gigabytes == 0) return "-";
  return short_figure(size.estimate->expected.memory_gigabytes) + (!size.fits         ? "!"
                                                                   : size.fits_barely ? "~"
                                                                                      : "");
}

}  // namespace

bool have_one_batch(std::span<const RunSize> sizes) {
  return std::ranges::all_of(sizes, [&](const RunSize& size) {
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

std::string run_sizes_table(std::span<const RunSize> sizes) {
  if (sizes.empty()) return {};
  using Row = RunSize;
  const RunEstimate& first = *sizes.front().estimate;
  const auto any = [&](auto has) { return std::ranges::any_of(sizes, has); };
  const auto expected = [](double RunFigures::*of, std::string head = {}) {
    const RunFigure& figure = figure_of(of);
    return TableColumn<Row>(
        right(head.empty() ? std::string(figure.head) : head,
              [&figure](const Row& r) { return expected_cell(figure, *r.estimate); }));
  };
  const auto range = [](const RunFigure& figure) {
    return TableColumn<Row>(
        right("90 %", [&figure](const Row& r) { return range_text(figure, *r.estimate); }));
  };
  const RunFigure& time = first.time_figure();
  const auto size = [](const Row& r) {
    return fmt::format("{}{}", r.accelerators, r.fits ? "" : "!");
  };
  TableColumns<Row> columns{right("N", size)};
  if (first.is_scored || !have_one_batch(sizes))
    columns.push_back(right("batch", of_its(&Row::estimate, batch_of), "{:.0f}"));
  if (!first.is_one_step) {
    columns.insert(columns.end(), {expected(time.value), range(time)});
    if (!first.overrun.is_none())
      columns.push_back(right("simulated", [&time](const Row& r) {
        return cell(time, r.estimate->expected.*time.value);
      }));
    if (any([](const Row& r) { return r.days_to_default_loss.has_value(); }))
      columns.push_back(right(
          "same loss",
          [](const Row& r) { return r.days_to_default_loss.value_or(r.estimate->expected.days); },
          short_figure));
  }
  const bool is_short = !any([](const Row& r) { return r.estimate->expected.step_seconds >= 1; });
  const double unit = is_short ? 1e3 : 1;
  columns.push_back(right(is_short ? "step ms" : "step s", [unit](const Row& r) {
    return short_figure(unit * r.estimate->expected.step_seconds);
  }));
  if (first.is_one_step) {
    columns.push_back(right("90 %", [unit](const Row& r) {
      const Interval step = r.estimate->interval(figure_of(&RunFigures::step_seconds));
      return fmt::format("{} to {}", short_figure(unit * step.low), short_figure(unit * step.high));
    }));
    columns.push_back(first.expected.tokens_per_second > 0
                          ? expected(&RunFigures::tokens_per_second)
                          : expected(&RunFigures::samples_per_second, "samples/s"));
  }
  if (first.expected.samples > 0 && sizes.front().scaled)
    columns.insert(
        columns.end(),
        {right(
             "speedup", [](const Row& r) { return speedup(*r.scaled, r.reference); }, "{:.2f}"),
         right(
             "eff. %", [](const Row& r) { return relative_efficiency(*r.scaled, r.reference); },
             whole_percent)});
  columns.push_back(expected(&RunFigures::mfu));
  if (!first.is_one_step)
    columns.insert(columns.end(),
                   {expected(&RunFigures::usd), expected(&RunFigures::kilowatt_hours)});
  if (any([](const Row& r) { return r.estimate->memory.has_value(); }))
    columns.push_back(right("GB", memory_cell));
  return table_text(columns, sizes) +
         (any([](const Row& r) { return !r.fits; })
              ? "!: THE PLAN DOES NOT FIT the memory of these accelerators\n"
              : "") +
         (any([](const Row& r) { return r.fits && r.fits_barely; })
              ? "~: the plan fits barely, and memory is an estimate (+-5 %)\n"
              : "");
}

std::string run_shares_table(std::span<const RunSize> sizes) {
  using Row = RunSize;
  const auto expected = [](double RunFigures::*of) {
    const RunFigure& figure = figure_of(of);
    return TableColumn<Row>(right(std::string(figure.head), [&figure](const Row& r) {
      return expected_cell(figure, *r.estimate);
    }));
  };
  const auto exposed = [](const Row& r) {
    return percent(r.estimate->step.exposed().time / r.estimate->step.total);
  };
  const auto joules = [](const Row& r) {
    return short_figure(energy_per_sample(*r.estimate).base());
  };
  TableColumns<Row> columns{right("N", &Row::accelerators),
                            right("exposed communication %", exposed), right("J/sample", joules)};
  if (!sizes.front().estimate->is_one_step)
    columns.insert(columns.end(),
                   {expected(&RunFigures::evaluation_seconds),
                    expected(&RunFigures::start_up_seconds), expected(&RunFigures::samples)});
  columns.push_back(left("basis", of_its(&Row::estimate, &RunEstimate::basis)));
  return table_text(columns, sizes);
}

std::string run_plans_table(std::span<const RunSize> sizes) {
  std::vector<std::pair<int, const Plan*>> plans;
  for (const RunSize& size : sizes) plans.emplace_back(size.accelerators, &size.estimate->plan);
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
  std::ranges::copy_if(run_figures, std::back_inserter(shown), is_shown);
  return table_text(columns, shown) + "`tofn explain NAME` defines a figure\n";
}

}  // namespace report
}  // namespace tofn
