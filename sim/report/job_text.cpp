#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

const SimulatedStep& step_of(const RunEstimate& estimate) { return main_phase(*estimate.job).step; }

std::string parts_text(const StepTimes& step) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    if (const double share = step.parts[i] / step.total; share >= 0.0005)
      parts.push_back(fmt::format("{} {:.1f} %", step_part_titles[i], 100 * share));
  return wrapped("a step is     ", parts, ",");
}

/// What the interval of days is drawn with.
std::string overrun_text(const JobRequest& asked, const RunEstimate& estimate) {
  if (asked.run.is_one_step) return {};
  return wrapped_words("90 %          ", "of " + overrun_words(estimate.overrun));
}

std::string warnings_text(const RunPoint& point) {
  std::string text;
  for (const std::string& warning : point.warnings)
    text += wrapped_words("WARNING       ", warning);
  return text;
}

/// What the batch was chosen by, where that is not the days that are shown.
std::string same_loss_text(const RunFile& run, const RunPoint& point) {
  if (!point.days_to_default_loss) return {};
  const double tokens = run.tokens();
  return wrapped_words(
      "same loss     ",
      fmt::format("{} days simulated to the loss of {} {} at the usual {} samples: what the batch "
                  "is chosen by, and what machines are to be compared by",
                  short_figure(*point.days_to_default_loss),
                  count_text(tokens > 0 ? tokens : run.samples(), 4),
                  tokens > 0 ? "tokens" : "samples", count_text(run.phases.front().last_batch())));
}

/// Of a precision other than bf16, which trainings usually have.
std::string precision_text(const SimulatedStep& step) {
  const std::string_view name = step.precisions().front();
  if (name == to_text(Precision::Bf16)) return {};
  return wrapped_words("precision     ", std::string(name) + same_loss_words(step));
}

std::string plan_text(const RunPoint& point) {
  std::string text = plan_words(step_of(*point.estimate).plan);
  if (point.plans_tried > 0)
    text +=
        fmt::format("; chosen by tofn: the shortest step of the {} plans tried", point.plans_tried);
  return wrapped_words("plan          ", text) +
         placement_text(step_of(*point.estimate).plan, step_of(*point.estimate).cluster);
}

/// Where the critical batch is from.
std::string critical_batch_words(const RunFile& run) {
  if (run.critical_batch) return "as stated";
  const Model& model = run.phases.front().model;
  return fmt::format("by the laws of arXiv 1812.06162 and 2410.21676{}",
                     trainable_parameters(model) < parameters(model)
                         ? ", which are of pre-training: of fine-tuning none is known here"
                         : "");
}

std::string statistics_text(const RunFile& run, const RunEstimate& estimate) {
  if (!estimate.job->critical_batch || run.is_one_step) return {};
  const Amount& critical = *estimate.job->critical_batch;
  const Interval price{estimate.faster.batch_price, estimate.slower.batch_price};
  return wrapped_words(
      "statistics    ",
      fmt::format("{:.0f} % of the samples are the price of the batch, {:.0f} to {:.0f} by doubt: "
                  "much smaller ones would reach the same loss without them (critical batch {} {}, "
                  "{})",
                  100 * estimate.expected.batch_price, 100 * price.low, 100 * price.high,
                  count_text(critical.value, 2),
                  critical.of == Counted::Tokens ? "tokens" : "samples",
                  critical_batch_words(run)));
}

/// Where no plan of those that were tried fits.
std::string_view plans_to_try(PlanSpace tried) {
  return tried == PlanSpace::All ? "more of them (-N)" : "--search all, or more of them (-N)";
}

std::string memory_text(const JobRequest& asked, const RunPoint& point) {
  const SimulatedStep& step = fullest_phase(*point.estimate->job).step;
  const Footprint& fullest = step.memory[step.tightest()];
  const Accelerator& chip = step.holder(step.tightest());
  const double held = gigabytes(fullest.total());
  const double memory = gigabytes(chip.memory.value);
  const bool close = is_close(fullest, chip);
  std::string text = fmt::format("memory        {:.1f} GB of {:.0f} on the fullest of {}", held,
                                 memory, counted(step.memory.size(), "stage"));
  if (point.fits) return text + (close ? ": close, the estimate may be 5 % off\n" : "\n");
  text += fmt::format(": {}, {:.1f} GB are missing\n",
                      close ? "CLOSE, IT MAY NOT FIT" : "IT DOES NOT FIT", held - memory);
  return text + way_out_text(point.way_out, plans_to_try(asked.space));
}

std::string point_text(const JobRequest& asked, const RunPoint& point) {
  const RunEstimate& estimate = *point.estimate;
  const SimulatedStep& step = step_of(estimate);
  const RunFigures& f = estimate.expected;
  std::string text = fmt::format("{} on {}: {}", asked.run.name, hardware_words(step),
                                 does_not_fit_words(fullest_phase(*estimate.job).step));
  if (asked.run.is_one_step)
    text += fmt::format("{} a step (--tokens or --samples for a whole job)\n",
                        to_text(step.times.total, 4));
  else
    text += fmt::format(
        "{} in {}\n",
        f.tokens > 0 ? count_text(f.tokens, 4) + " tokens" : count_text(f.samples, 4) + " samples",
        days_text(estimate));
  text += overrun_text(asked, estimate) + warnings_text(point);
  text += plan_text(point) + precision_text(step) + batch_text(asked.run, estimate) +
          same_loss_text(asked.run, point) + substitutions_text(point.substitutions);
  return text + '\n' + job_phases_text(asked, point) +
         figures_table(estimate, asked.run.is_one_step) + '\n' + parts_text(estimate.step) +
         memory_text(asked, point) + statistics_text(asked.run, estimate) +
         expense_text(asked, estimate) + chances_text(asked.limits, {point});
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
  std::string warnings;
  std::string overruns;
  for (const RunPoint& point : answer.points) {
    if (!point.estimate) {
      skipped += fmt::format("N = {} left out: {}\n", point.accelerators, point.skipped_because);
      continue;
    }
    sizes.push_back({point.accelerators, &*point.estimate, point.fits, point.days_to_default_loss});
    add_new(all, point.substitutions);
    warnings += warnings_text(point);
    overruns = overrun_text(asked, *point.estimate);
  }
  const std::vector<SizeMark> marks =
      asked.run.is_one_step ? std::vector<SizeMark>{} : run_marks(answer.points);
  return fmt::format("{} on {}{}\n", asked.run.name, asked.cluster.name,
                     training_words(answer.points, marks)) +
         job_sizes_table(sizes) +
         "GB: of the fullest stage, ! where it does not fit; MFU with the products of attention\n" +
         time_chart(marks) + batches_text(asked.run, sizes) + overruns +
         chances_text(asked.limits, answer.points) + skipped + warnings + substitutions_text(all);
}

}  // namespace

std::string expense_text(const JobRequest& asked, const RunEstimate& estimate) {
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
    text += fmt::format("price         {}: {}\n", asked.cluster.name,
                        unpriced_words(asked.cluster, asked.expenses));
  std::vector<std::string> assumed = expense.assumed;
  assumed.push_back(fmt::format("start-up {}", to_text(asked.run.start_up)));
  if (asked.grid_intensity == default_grid_intensity)
    assumed.push_back(
        fmt::format("{:g} g CO2e/kWh (the world's mean, --grid)", asked.grid_intensity));
  return text + wrapped("assumed       ", assumed, ",");
}

std::string same_loss_words(const SimulatedStep& step) {
  const Precision runs =
      step.cluster.accelerator.computes_in(step.plan.precision.value_or(step.model.precision));
  if (runs != Precision::Fp8 && runs != Precision::Fp4) return {};
  return fmt::format(
      ", assumed to reach the same loss in as many samples ({}within 0.25 %: "
      "DeepSeek-V3, arXiv 2412.19437)",
      runs == Precision::Fp4 ? "shown of fp8 alone, " : "");
}

std::string batch_text(const RunFile& run, const RunEstimate& estimate) {
  if (run.phases.size() > 1 || run.phases.front().stretches.size() > 1) return {};
  const double batch = step_of(estimate).plan.global_batch();
  const double length = run.phases.front().model.sequence_length;
  std::string text = fmt::format("{} samples", count_text(batch));
  if (length > 0)
    text += fmt::format(" of {:g} tokens: {} tokens a step", length, count_text(batch * length, 4));
  if (run.has_default_batch)
    text += run.is_one_step ? ", assumed (--batch or --batch-tokens)"
                            : ", chosen: the same loss soonest (--batch or --batch-tokens)";
  const double grown = estimate.expected.samples / run.samples();
  if (grown > 1 + 1e-9)
    text += fmt::format("; the loss of {} tokens at the usual {} samples",
                        count_text(run.tokens(), 4), count_text(run.phases.front().last_batch()));
  return wrapped_words("batch         ", text);
}

std::string job_text(const JobRequest& asked, const JobAnswer& answer) {
  return answer.points.size() > 1 ? table_text(asked, answer)
                                  : point_text(asked, answer.points.front());
}

}  // namespace report
}  // namespace tofn
