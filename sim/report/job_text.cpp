#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/count_text.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/text_table.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace report {
namespace {

const SimulatedStep& step_of(const JobEstimate& estimate) {
  return estimate.job.phases.front().step;
}

std::string cell(const JobFigure& figure, double value) {
  switch (figure.kind) {
    case FigureKind::Count:
      return count_text(value, 4);
    case FigureKind::Share:
      return percent(value) + " %";
    case FigureKind::Plain:
      break;
  }
  return short_figure(value);
}

/// What a figure rests on; nothing of what was asked for.
std::string basis_of(const JobFigure& figure, const JobEstimate& estimate) {
  for (const auto given : {&JobFigures::samples, &JobFigures::tokens, &JobFigures::steps})
    if (figure.value == given) return "given";
  if (figure.value == &JobFigures::usd) return std::string(to_text(estimate.expense.cost_basis));
  for (const auto assumed : {&JobFigures::start_up_seconds, &JobFigures::lost_seconds,
                             &JobFigures::kilowatt_hours, &JobFigures::co2_tonnes})
    if (figure.value == assumed) return "assumed";
  return std::string(to_text(step_of(estimate).times.cost().basis));
}

bool is_shown(const JobFigure& figure, const JobEstimate& estimate, bool is_one_step) {
  const double value = estimate.expected.*figure.value;
  if (value == 0) return false;
  if (!is_one_step) return true;
  // Of one step neither its count nor what a run adds up to says anything.
  for (const auto of_runs :
       {&JobFigures::steps, &JobFigures::days, &JobFigures::goodput, &JobFigures::training_seconds,
        &JobFigures::lost_seconds, &JobFigures::seconds, &JobFigures::co2_tonnes})
    if (figure.value == of_runs) return false;
  return true;
}

std::string figures_text(const JobEstimate& estimate, bool is_one_step) {
  TextTable table(
      {{"", Align::Left}, {"value"}, {"90 %"}, {"basis", Align::Left}, {"how", Align::Left}});
  for (const JobFigure& figure : job_figures) {
    if (!is_shown(figure, estimate, is_one_step)) continue;
    const Interval interval = estimate.interval(figure);
    table.add({std::string(figure.title), cell(figure, estimate.expected.*figure.value),
               interval.low == interval.high
                   ? ""
                   : fmt::format("{}-{}", cell(figure, interval.low), cell(figure, interval.high)),
               basis_of(figure, estimate), std::string(figure.definition)});
  }
  return table.render();
}

std::string parts_text(const SimulatedStep& step) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    if (const double share = step.times.parts[i] / step.times.total; share >= 0.0005)
      parts.push_back(fmt::format("{} {:.1f} %", step_part_titles[i], 100 * share));
  return wrapped("a step is     ", parts, ",");
}

std::string plan_text(const JobPoint& point) {
  std::string text = plan_words(step_of(*point.estimate).plan);
  if (point.plans_tried > 0)
    text += fmt::format("; chosen by tofn: the shortest step of {} plans that this job allows",
                        point.plans_tried);
  return wrapped_words("plan          ", text);
}

std::string batch_text(const JobRequest& asked, const JobAnswer& answer) {
  std::string text = fmt::format("{} samples", count_text(answer.batch));
  if (asked.model.sequence_length > 0)
    text += fmt::format(" of {:g} tokens: {} tokens a step", asked.model.sequence_length,
                        count_text(answer.batch * asked.model.sequence_length, 4));
  if (answer.is_usual_batch) text += ", assumed (--batch or --batch-tokens)";
  return wrapped_words("batch         ", text);
}

/// What of the tokens is the price of the batch.
std::string statistics_text(const JobRequest& asked, const JobAnswer& answer,
                            const JobEstimate& estimate) {
  const double tokens = estimate.expected.tokens;
  if (answer.is_one_step || tokens == 0) return {};
  const double batch = answer.batch * asked.model.sequence_length;
  const double critical = critical_batch_tokens(active_parameters(asked.model), tokens);
  return wrapped_words(
      "statistics    ",
      fmt::format(
          "{:.0f} % of the tokens are the price of the batch, {:.0f} to {:.0f} by doubt: a much "
          "smaller one "
          "would reach the same loss without them (critical batch {} tokens, by the laws of arXiv "
          "1812.06162, 2001.08361 and 2203.15556)",
          100 * batch_price(batch, critical),
          100 * batch_price(batch, critical_batch_doubt * critical),
          100 * batch_price(batch, critical / critical_batch_doubt), count_text(critical, 2)));
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
  assumed.push_back(fmt::format("start-up {}", to_text(asked.start_up)));
  if (asked.grid_intensity == usual_grid_intensity)
    assumed.push_back(
        fmt::format("{:g} g CO2e/kWh (the world's mean, --grid)", asked.grid_intensity));
  return text + wrapped("assumed       ", assumed, ",");
}

std::string memory_text(const JobPoint& point) {
  const SimulatedStep& step = step_of(*point.estimate);
  const std::size_t tightest = step.tightest();
  const double left = gigabytes(free_memory(step.memory[tightest], step.holder(tightest)));
  std::string text =
      fmt::format("memory        {:.1f} GB of {:.0f} on stage {} of {}",
                  gigabytes(step.memory[tightest].total()),
                  gigabytes(step.holder(tightest).memory.value), tightest + 1, step.memory.size());
  if (point.fits) return text + '\n';
  text += fmt::format(": IT DOES NOT FIT, {:.1f} GB are missing\n", -left);
  return text + (point.way_out ? fmt::format("nearest plan that fits: {} ({:.1f} GB)\n",
                                             plan_words(point.way_out->plan),
                                             gigabytes(point.way_out->largest.total()))
                               : "no plan on these accelerators was found that fits\n");
}

std::string point_text(const JobRequest& asked, const JobAnswer& answer) {
  const JobPoint& point = answer.points.front();
  const JobEstimate& estimate = *point.estimate;
  const SimulatedStep& step = step_of(estimate);
  const JobFigures& f = estimate.expected;
  std::string text = fmt::format("{} on {}: ", asked.model.name, hardware_words(step));
  if (answer.is_one_step)
    text += fmt::format("{} a step (--tokens or --samples for a whole job)\n",
                        to_text(step.times.total, 4));
  else
    text += fmt::format(
        "{} in {} days, 90 % interval {}-{}\n",
        f.tokens > 0 ? count_text(f.tokens) + " tokens" : count_text(f.samples) + " samples",
        short_figure(f.days), short_figure(estimate.faster.days),
        short_figure(estimate.slower.days));
  text += plan_text(point) + batch_text(asked, answer) + substitutions_text(step.substitutions);
  return text + '\n' + figures_text(estimate, answer.is_one_step) + '\n' + parts_text(step) +
         memory_text(point) + statistics_text(asked, answer, estimate) +
         expense_text(asked, estimate);
}

std::string table_text(const JobRequest& asked, const JobAnswer& answer) {
  TextTable table({{"N"},
                   {"step s"},
                   {"tokens/s"},
                   {"MFU %"},
                   {"days"},
                   {"90 %"},
                   {"acc.-hours"},
                   {"kWh"},
                   {"USD"},
                   {"GB"},
                   {"plan", Align::Left}});
  std::vector<std::string> all;
  std::string skipped;
  for (const JobPoint& point : answer.points) {
    if (!point.estimate) {
      skipped += fmt::format("N = {} left out: {}\n", point.accelerators, point.skipped_because);
      continue;
    }
    const JobEstimate& e = *point.estimate;
    const JobFigures& f = e.expected;
    add_new(all, step_of(e).substitutions);
    table.add({fmt::format("{}", point.accelerators), short_figure(f.step_seconds),
               count_text(f.tokens_per_second, 4), percent(f.mfu), short_figure(f.days),
               fmt::format("{}-{}", short_figure(e.faster.days), short_figure(e.slower.days)),
               count_text(f.accelerator_hours, 4), count_text(f.kilowatt_hours, 4),
               e.expense.price ? count_text(f.usd, 4) : "-",
               fmt::format("{:.1f}{}", f.memory_gigabytes, point.fits ? "" : "!"),
               plan_words(step_of(e).plan)});
  }
  return fmt::format("{} on {}\n", asked.model.name, asked.cluster.name) + table.render() +
         "GB: of the fullest stage, ! where it does not fit; MFU with the products of attention\n" +
         batch_text(asked, answer) + skipped + substitutions_text(all);
}

}  // namespace

std::string job_text(const JobRequest& asked, const JobAnswer& answer) {
  return answer.points.size() > 1 ? table_text(asked, answer) : point_text(asked, answer);
}

}  // namespace report
}  // namespace tofn
