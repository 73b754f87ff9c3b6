#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/job_figures.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

const SimulatedStep& main_step(const JobEstimate& estimate) {
  return main_phase(estimate.job).step;
}

double batch_of(const JobEstimate& estimate) { return main_step(estimate).plan.global_batch(); }

/// Without the sign of a share.
std::string cell(const JobFigure& figure, double value) {
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
bool says_something(const JobFigure& figure, std::span<const JobSize> sizes) {
  if (figure.head.empty()) return false;
  const auto value = [&](const JobSize& size) { return size.estimate->value(figure); };
  if (figure.rests_on == RestsOn::Request)
    return std::any_of(sizes.begin(), sizes.end(), [&](const JobSize& size) {
      return std::abs(*value(size) / *value(sizes.front()) - 1) > 1e-9;
    });
  return figure.value == &JobFigures::usd ||
         std::any_of(sizes.begin(), sizes.end(),
                     [&](const JobSize& size) { return value(size).value_or(0) > 0; });
}

}  // namespace

bool have_one_batch(std::span<const JobSize> sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [&](const JobSize& size) {
    return batch_of(*size.estimate) == batch_of(*sizes.front().estimate);
  });
}

std::string figure_text(const JobFigure& figure, double value) {
  return cell(figure, value) + (figure.kind == FigureKind::Share ? " %" : "");
}

std::string range_text(const JobFigure& figure, const JobEstimate& estimate) {
  constexpr double endless = 1e6;  // times what is expected: nobody waits for it
  const Interval range = estimate.interval(figure);
  const bool ends = range.high < endless * estimate.expected.*figure.value;
  return fmt::format("{}-{}", figure_text(figure, range.low),
                     ends ? figure_text(figure, range.high) : "no end");
}

std::string days_text(const JobEstimate& estimate) {
  const JobFigure& days =
      *std::find_if(job_figures.begin(), job_figures.end(),
                    [](const JobFigure& figure) { return figure.value == &JobFigures::days; });
  const std::string simulated = short_figure(estimate.expected.days);
  const std::string interval = "90 % interval " + range_text(days, estimate);
  if (estimate.job.overrun.is_none()) return fmt::format("{} days, {}", simulated, interval);
  return fmt::format("{} days simulated, {} as published runs went, {}", simulated,
                     short_figure(*estimate.usual(days)), interval);
}

std::string job_sizes_table(std::span<const JobSize> sizes) {
  std::vector<const JobFigure*> shown;
  for (const JobFigure& figure : job_figures)
    if (says_something(figure, sizes)) shown.push_back(&figure);
  const bool has_batches = !have_one_batch(sizes);
  const bool overruns = !sizes.empty() && !sizes.front().estimate->job.overrun.is_none();
  const bool has_losses = std::any_of(sizes.begin(), sizes.end(), [](const JobSize& size) {
    return size.days_to_usual_loss.has_value();
  });
  std::vector<TextTable::Column> columns{{"N"}};
  if (has_batches) columns.push_back({"batch"});
  for (const JobFigure* figure : shown) {
    columns.push_back({std::string(figure->head)});
    if (figure->value != &JobFigures::days) continue;
    if (has_losses) columns.push_back({"same loss"});
    if (overruns) columns.push_back({"as runs went"});
    columns.push_back({"90 %"});
  }
  columns.push_back({"plan", Align::Left});
  TextTable table(columns);
  for (const JobSize& size : sizes) {
    std::vector<std::string> cells{fmt::format("{}", size.accelerators)};
    if (has_batches) cells.push_back(count_text(batch_of(*size.estimate), 4));
    for (const JobFigure* figure : shown) {
      const auto value = size.estimate->value(*figure);
      cells.push_back(value ? cell(*figure, *value) : "-");
      if (figure->value == &JobFigures::memory_gigabytes && !size.fits) cells.back() += "!";
      if (figure->value != &JobFigures::days) continue;
      if (has_losses) cells.push_back(short_figure(size.days_to_usual_loss.value_or(*value)));
      if (overruns) cells.push_back(short_figure(*size.estimate->usual(*figure)));
      cells.push_back(range_text(*figure, *size.estimate));
    }
    cells.push_back(plan_words(main_step(*size.estimate).plan));
    table.add(std::move(cells));
  }
  return table.render();
}

}  // namespace report
}  // namespace tofn
