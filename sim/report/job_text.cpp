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
#include "sim/report/run_screen.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/step_report.hpp"

namespace tofn {
inline namespace report {
namespace {

const SimulatedStep& step_of(const RunEstimate& estimate) { return main_phase(*estimate.job).step; }

/// Line on the overrun in the interval of days.
std::string overrun_text(const JobRequest& request, const RunEstimate& estimate) {
  if (request.run.is_one_step) return {};
  return note("ranges", "are meant to hold 90 % of " + overrun_words(estimate.overrun));
}

std::string warnings_text(const RunPoint& point) {
  std::string text;
  for (const std::string& warning : point.warnings) text += note("WARNING", warning);
  return text;
}

/// Line on the days by which the batch was chosen, if these are not the days shown.
std::string same_loss_text(const StatedRun& run, const RunPoint& point) {
  if (!point.days_to_default_loss) return {};
  const double tokens = run.tokens();
  return note(
      "same loss",
      fmt::format("{} days simulated to the loss of {} {} at the default {} samples, by "
                  "which the batch was chosen and machines are to be compared",
                  short_figure(*point.days_to_default_loss),
                  count_text(tokens > 0 ? tokens : run.samples(), 4),
                  tokens > 0 ? "tokens" : "samples", count_text(run.phases.front().last_batch())));
}

/// Line on a precision other than bf16, the usual one of training.
std::string precision_text(const SimulatedStep& step) {
  const std::string_view name = step.precisions().front();
  if (name == to_text(Precision::Bf16)) return {};
  return note("precision", std::string(name) + same_loss_words(step));
}

std::string plan_text(const RunPoint& point) {
  const SimulatedStep& step = step_of(*point.estimate);
  std::string text = plan_words(step.plan);
  if (point.plans_tried > 0)
    text += fmt::format("; the fastest of {} plans tried", count_text(point.plans_tried, 3));
  return note("plan", text) + placement_text(step.plan, step.cluster);
}

/// Words on the source of the critical batch.
std::string critical_batch_words(const StatedRun& run) {
  if (run.critical_batch) return "as stated";
  const Model& model = run.phases.front().model;
  return fmt::format("by the laws of arXiv 1812.06162 and 2410.21676{}",
                     trainable_parameters(model) < parameters(model)
                         ? ", which are of pre-training: of fine-tuning none is known here"
                         : "");
}

std::string statistics_text(const StatedRun& run, const RunEstimate& estimate) {
  if (!estimate.job->critical_batch || run.is_one_step) return {};
  const Amount& critical = *estimate.job->critical_batch;
  const Interval extra = estimate.interval(figure_of(&RunFigures::batch_price));
  return note("large batch",
              fmt::format("{:.0f} % of the samples, {:.0f} to {:.0f} %, are the extra that this "
                          "batch takes to the loss of much smaller ones (critical batch {} {}, {})",
                          100 * estimate.expected.batch_price, 100 * extra.low, 100 * extra.high,
                          count_text(critical.value, 2),
                          critical.of == Counted::Tokens ? "tokens" : "samples",
                          critical_batch_words(run)));
}

/// Words on what to try if none of the tried plans fits.
std::string_view plans_to_try(PlanSpace tried) {
  return tried == PlanSpace::All ? "more of them (-N)" : "--search all, or more of them (-N)";
}

std::string next_text(const JobRequest& request, const RunPoint& point) {
  std::vector<std::string> next;
  if (request.run.is_one_step) {
    next.emplace_back("--tokens 1T");
  } else {
    if (request.limits.empty()) next.emplace_back("--deadline 30d");
    next.push_back(fmt::format("-N {}..{}", point.accelerators / 2, 8 * point.accelerators));
  }
  next.insert(next.end(), {"--sensitivity", "--details", "tofn explore", "tofn plan"});
  return listed_note("next", next, ",");
}

AnswerText point_text(const JobRequest& request, const RunPoint& point) {
  const RunEstimate& estimate = *point.estimate;
  const SimulatedStep& step = step_of(estimate);
  const bool is_one_step = request.run.is_one_step;
  const std::string chance = chance_words(point, request.limits);
  AnswerText text;
  text.screen = fmt::format(
      "{}{} on {}: {}{}{}\n\n", request.run.name,
      is_one_step ? "" : ", " + trained_words(estimate.expected.tokens, estimate.expected.samples),
      hardware_words(step), does_not_fit_words(fullest_phase(*estimate.job).step),
      run_headline(point), chance.empty() ? "" : "; " + chance);
  text.screen += run_facts_text(point, job_memory_words(point));
  if (!point.fits) text.screen += way_out_text(point.way_out, plans_to_try(request.space));
  text.screen += warnings_text(point) + '\n' + step_bars_text(estimate.step) + '\n' +
                 plan_text(point) + precision_text(step) + batch_text(request.run, estimate) +
                 assumed_text(request, point) + ranges_text(estimate) + next_text(request, point);
  text.details = job_phases_text(request, point) + figures_table(estimate) + '\n' +
                 same_loss_text(request.run, point) + statistics_text(request.run, estimate) +
                 overrun_text(request, estimate) + expense_text(request, estimate);
  return text;
}

/// Line on the one batch of all sizes, or on how the batch of each was chosen.
std::string batches_text(const StatedRun& run, const std::vector<JobSize>& sizes) {
  if (sizes.empty()) return {};
  if (have_one_batch(sizes)) return batch_text(run, *sizes.front().estimate);
  return note("batch", "the one that reaches the loss soonest at that N (--batch, --batch-tokens)");
}

AnswerText table_text(const JobRequest& request, const JobAnswer& answer) {
  std::vector<JobSize> sizes;
  std::vector<std::string> all;
  std::string skipped;
  std::string warnings;
  const RunEstimate* estimate = nullptr;
  for (const RunPoint& point : answer.points) {
    if (!point.estimate) {
      skipped += fmt::format("N = {} left out: {}\n", point.accelerators, point.skipped_because);
      continue;
    }
    sizes.push_back({point.accelerators, &*point.estimate, point.fits, point.days_to_default_loss});
    add_new(all, point.substitutions);
    warnings += warnings_text(point);
    estimate = &*point.estimate;
  }
  const std::vector<SizeMark> marks =
      request.run.is_one_step ? std::vector<SizeMark>{} : run_marks(answer.points);
  AnswerText text;
  text.screen =
      fmt::format("{} on {}{}\n\n", request.run.name, request.cluster.name,
                  training_words(answer.points, marks)) +
      job_sizes_table(sizes) + chances_text(request.limits, answer.points) + '\n' +
      time_chart(marks) + batches_text(request.run, sizes) + skipped + warnings +
      substitutions_text(all) + (estimate == nullptr ? "" : ranges_text(*estimate)) +
      listed_note("next", {"one -N for its step, memory and money", "--details for the plans"});
  text.details = job_plans_table(sizes);
  if (estimate != nullptr)
    text.details += overrun_text(request, *estimate) + expense_text(request, *estimate);
  return text;
}

}  // namespace

namespace {

/// Line on a checkpoint's bytes and times; empty if its storage is not stated.
std::string checkpoint_text(const Expense& expense) {
  if (!expense.checkpoint) return {};
  const CheckpointTimes& times = *expense.checkpoint;
  std::string text = fmt::format("{}, {} a rank: steps wait {}, written and read in {} ({})",
                                 to_text(times.bytes, 3), to_text(times.of_rank, 3),
                                 to_text(expense.interruptions.checkpoint, 2),
                                 to_text(times.write, 3), to_text(times.bandwidth, 3));
  if (const auto every = expense.run.checkpoint_every)
    text += fmt::format(", every {}", to_text(*every, 2));
  return note("checkpoint", text);
}

}  // namespace

std::string assumed_of_run_text(const Expense& expense, Seconds start_up, double grid_intensity) {
  std::vector<std::string> assumed = expense.assumed;
  if (start_up == default_start_up)
    assumed.push_back(fmt::format("start-up {} (--start-up)", to_text(start_up)));
  if (grid_intensity == default_grid_intensity)
    assumed.push_back(fmt::format("{:g} g CO2e/kWh (the world's mean, --grid)", grid_intensity));
  return listed_note("assumed", assumed, ",");
}

std::string expense_text(const JobRequest& request, const RunEstimate& estimate) {
  const Expense& expense = estimate.expense;
  return price_text(expense, request.cluster, request.expenses) + checkpoint_text(expense) +
         assumed_of_run_text(expense, request.run.start_up, request.grid_intensity);
}

std::string assumed_text(const JobRequest& request, const RunPoint& point) {
  const RunEstimate& estimate = *point.estimate;
  std::string text = substitutions_text(point.substitutions);
  if (request.run.is_one_step) return text;
  const Expense& expense = estimate.expense;
  if (!expense.price)
    text += price_text(expense, request.cluster, request.expenses);
  else if (!request.expenses.price)
    text += note(text.empty() ? "assumed" : "",
                 fmt::format("{} price of {} (--price, --prices)", price_words(*expense.price),
                             expense.price->is_typical ? request.cluster.accelerator.name
                                                       : request.cluster.name));
  return text +
         note("", fmt::format("{} figures of less effect (--details)", expense.assumed.size() + 1));
}

std::string trained_words(double tokens, double samples) {
  return tokens > 0 ? count_text(tokens, 4) + " tokens" : count_text(samples, 4) + " samples";
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

std::string batch_text(const StatedRun& run, const RunEstimate& estimate) {
  if (run.phases.size() > 1 || run.phases.front().stretches.size() > 1) return {};
  const double batch = step_of(estimate).plan.global_batch();
  const double length = run.phases.front().model.sequence_length;
  std::string text = length > 0 ? fmt::format("{} x {:g} = {} tokens", count_text(batch), length,
                                              count_text(batch * length, 3))
                                : fmt::format("{} samples", count_text(batch));
  if (run.has_default_batch)
    text += run.is_one_step ? ", assumed (--batch, --batch-tokens)"
                            : ", which reaches the loss soonest (--batch, --batch-tokens)";
  const double grown = estimate.expected.samples / run.samples();
  if (grown > 1 + 1e-9)
    text += fmt::format("; to the loss of {} tokens at the default {} samples",
                        count_text(run.tokens(), 4), count_text(run.phases.front().last_batch()));
  return note("batch", text);
}

AnswerText job_text(const JobRequest& request, const JobAnswer& answer) {
  return answer.points.size() > 1 ? table_text(request, answer)
                                  : point_text(request, answer.points.front());
}

}  // namespace report
}  // namespace tofn
