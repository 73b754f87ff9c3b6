#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/count_text.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/job_figures.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

const SimulatedStep& step_of(const JobEstimate& estimate) { return main_phase(estimate.job).step; }

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

/// Of one step neither its count nor what a run adds up to says anything.
bool is_of_runs(const JobFigure& figure) {
  for (const auto of_runs :
       {&JobFigures::steps, &JobFigures::days, &JobFigures::goodput, &JobFigures::training_seconds,
        &JobFigures::lost_seconds, &JobFigures::seconds, &JobFigures::co2_tonnes})
    if (figure.value == of_runs) return true;
  return false;
}

std::string figures_text(const JobEstimate& estimate, bool is_one_step) {
  TextTable table(
      {{"", Align::Left}, {"value"}, {"90 %"}, {"basis", Align::Left}, {"how", Align::Left}});
  for (const JobFigure& figure : job_figures) {
    const auto value = estimate.value(figure);
    if (!value || *value == 0 || (is_one_step && is_of_runs(figure))) continue;
    const Interval interval = estimate.interval(figure);
    table.add({std::string(figure.title), figure_text(figure, *value),
               interval.low == interval.high
                   ? ""
                   : fmt::format("{}-{}", figure_text(figure, interval.low),
                                 figure_text(figure, interval.high)),
               std::string(estimate.basis(figure)), std::string(figure.definition)});
  }
  return table.render();
}

std::string parts_text(const StepTimes& step) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    if (const double share = step.parts[i] / step.total; share >= 0.0005)
      parts.push_back(fmt::format("{} {:.1f} %", step_part_titles[i], 100 * share));
  return wrapped("a step is     ", parts, ",");
}

std::string plan_text(const JobPoint& point) {
  std::string text = plan_words(step_of(*point.estimate).plan);
  if (point.plans_tried > 0)
    text +=
        fmt::format("; chosen by tofn: the shortest step of the {} plans tried", point.plans_tried);
  return wrapped_words("plan          ", text);
}

/// Where the critical batch is from.
std::string statistics_text(const RunFile& run, const JobEstimate& estimate) {
  if (!estimate.job.critical_batch || run.is_one_step) return {};
  const Amount& critical = *estimate.job.critical_batch;
  const Interval price{estimate.faster.batch_price, estimate.slower.batch_price};
  return wrapped_words(
      "statistics    ",
      fmt::format(
          "{:.0f} % of the samples are the price of the batch, {:.0f} to {:.0f} by doubt: "
          "much smaller ones would reach the same loss without them (critical batch {} {}, "
          "{})",
          100 * estimate.expected.batch_price, 100 * price.low, 100 * price.high,
          count_text(critical.value, 2), critical.of == Counted::Tokens ? "tokens" : "samples",
          run.critical_batch ? "as stated" : "by the laws of arXiv 1812.06162 and 2410.21676"));
}

std::string expense_text(const JobRequest& asked, const JobEstimate& estimate) {
  const Expense& expense = estimate.expense;
  std::string text;
  if (expense.price)
    text += wrapped_words(
        "price         ",
        fmt::format("{:g} USD/h an accelerator, {}; {}{}", expense.price->usd_per_hour,
                    name_in(price_terms, expense.price->term),
                    expense.price->is_usual
                        ? fmt::format("usual for {}: ", asked.cluster.accelerator.name)
                        : "",
                    expense.price->source));
  else
    text += fmt::format("price         none is known of {}: state one with --price\n",
                        asked.cluster.name);
  std::vector<std::string> assumed = expense.assumed;
  assumed.push_back(fmt::format("start-up {}", to_text(asked.run.start_up)));
  if (asked.grid_intensity == usual_grid_intensity)
    assumed.push_back(
        fmt::format("{:g} g CO2e/kWh (the world's mean, --grid)", asked.grid_intensity));
  return text + wrapped("assumed       ", assumed, ",");
}

std::string memory_text(const JobPoint& point) {
  const SimulatedStep& step = step_of(*point.estimate);
  const double held = gigabytes(fullest_stage(point.estimate->job).total());
  const double memory = gigabytes(step.holder(step.tightest()).memory.value);
  std::string text =
      fmt::format("memory        {:.1f} GB of {:.0f} on the fullest of {} stage{}", held, memory,
                  step.memory.size(), step.memory.size() == 1 ? "" : "s");
  if (point.fits) return text + '\n';
  text += fmt::format(": IT DOES NOT FIT, {:.1f} GB are missing\n", held - memory);
  return text + (point.way_out ? fmt::format("nearest plan that fits: {} ({:.1f} GB)\n",
                                             plan_words(point.way_out->plan),
                                             gigabytes(point.way_out->largest.total()))
                               : "no plan on these accelerators was found that fits\n");
}

std::string point_text(const JobRequest& asked, const JobPoint& point) {
  const JobEstimate& estimate = *point.estimate;
  const SimulatedStep& step = step_of(estimate);
  const JobFigures& f = estimate.expected;
  std::string text = fmt::format("{} on {}: ", asked.run.name, hardware_words(step));
  if (asked.run.is_one_step)
    text += fmt::format("{} a step (--tokens or --samples for a whole job)\n",
                        to_text(step.times.total, 4));
  else
    text += fmt::format(
        "{} in {} days, 90 % interval {}-{}\n",
        f.tokens > 0 ? count_text(f.tokens, 4) + " tokens" : count_text(f.samples, 4) + " samples",
        short_figure(f.days), short_figure(estimate.faster.days),
        short_figure(estimate.slower.days));
  text +=
      plan_text(point) + batch_text(asked.run, estimate) + substitutions_text(point.substitutions);
  return text + '\n' + job_phases_text(asked, point) +
         figures_text(estimate, asked.run.is_one_step) + '\n' +
         parts_text(mean_step(estimate.job)) + memory_text(point) +
         statistics_text(asked.run, estimate) + expense_text(asked, estimate);
}

double batch_of(const JobEstimate& estimate) { return step_of(estimate).plan.global_batch(); }

bool have_one_batch(std::span<const JobSize> sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [&](const JobSize& size) {
    return batch_of(*size.estimate) == batch_of(*sizes.front().estimate);
  });
}

/// One of all sizes, or what chose the batch of each.
std::string batches_text(const RunFile& run, const std::vector<JobSize>& sizes) {
  if (sizes.empty()) return {};
  if (have_one_batch(sizes)) return batch_text(run, *sizes.front().estimate);
  return "batch         chosen: the same loss soonest at that N (--batch, --batch-tokens)\n";
}

std::string table_text(const JobRequest& asked, const JobAnswer& answer) {
  std::vector<JobSize> sizes;
  std::vector<std::string> all;
  std::string skipped;
  for (const JobPoint& point : answer.points) {
    if (!point.estimate) {
      skipped += fmt::format("N = {} left out: {}\n", point.accelerators, point.skipped_because);
      continue;
    }
    sizes.push_back({point.accelerators, &*point.estimate, point.fits});
    add_new(all, point.substitutions);
  }
  return fmt::format("{} on {}\n", asked.run.name, asked.cluster.name) + job_sizes_table(sizes) +
         "GB: of the fullest stage, ! where it does not fit; MFU with the products of attention\n" +
         batches_text(asked.run, sizes) + skipped + substitutions_text(all);
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

std::string batch_text(const RunFile& run, const JobEstimate& estimate) {
  if (run.phases.size() > 1 || run.phases.front().stretches.size() > 1) return {};
  const double batch = step_of(estimate).plan.global_batch();
  const double length = run.phases.front().model.sequence_length;
  std::string text = fmt::format("{} samples", count_text(batch));
  if (length > 0)
    text += fmt::format(" of {:g} tokens: {} tokens a step", length, count_text(batch * length, 4));
  if (run.has_usual_batch)
    text += run.is_one_step ? ", assumed (--batch or --batch-tokens)"
                            : ", chosen: the same loss soonest (--batch or --batch-tokens)";
  const double grown = estimate.expected.samples / run.samples();
  if (grown > 1 + 1e-9)
    text += fmt::format("; the loss of {} tokens at the usual {} samples",
                        count_text(run.tokens(), 4), count_text(run.phases.front().last_batch()));
  return wrapped_words("batch         ", text);
}

std::string figure_text(const JobFigure& figure, double value) {
  return cell(figure, value) + (figure.kind == FigureKind::Share ? " %" : "");
}

std::string job_sizes_table(std::span<const JobSize> sizes) {
  std::vector<const JobFigure*> shown;
  for (const JobFigure& figure : job_figures)
    if (says_something(figure, sizes)) shown.push_back(&figure);
  const bool has_batches = !have_one_batch(sizes);
  std::vector<TextTable::Column> columns{{"N"}};
  if (has_batches) columns.push_back({"batch"});
  for (const JobFigure* figure : shown) {
    columns.push_back({std::string(figure->head)});
    if (figure->value == &JobFigures::days) columns.push_back({"90 %"});
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
      const Interval range = size.estimate->interval(*figure);
      if (figure->value == &JobFigures::days)
        cells.push_back(fmt::format("{}-{}", short_figure(range.low), short_figure(range.high)));
    }
    cells.push_back(plan_words(step_of(*size.estimate).plan));
    table.add(std::move(cells));
  }
  return table.render();
}

std::string job_text(const JobRequest& asked, const JobAnswer& answer) {
  return answer.points.size() > 1 ? table_text(asked, answer)
                                  : point_text(asked, answer.points.front());
}

}  // namespace report
}  // namespace tofn
