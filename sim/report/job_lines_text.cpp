#include <algorithm>

#include <fmt/format.h>

#include "sim/answers/model_run.hpp"
#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/simulation/simulated_step.hpp"

// Lines of a run of a model.

namespace tofn {
inline namespace report {
namespace {

/// Line on a precision other than bf16, the usual one of training.
std::string precision_text(const SimulatedStep& step) {
  const std::string_view name = step.precisions().front();
  if (name == to_text(Precision::Bf16)) return {};
  return note("precision", std::string(name) + same_loss_words(step));
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

/// Batches of a ramp: `192-2032`.
std::string batches_text(const Run& run) {
  const double first = run.stretches.front().step->samples();
  const double last = run.stretches.back().step->samples();
  return first == last ? short_count_text(first)
                       : fmt::format("{}-{}", short_count_text(first), short_count_text(last));
}

}  // namespace

std::string job_plan_text(const RunPoint& point) {
  const SimulatedStep& step = *point.estimate->simulated();
  std::string text = plan_words(plan_that_runs(step));
  if (point.plans_tried > 0)
    text += fmt::format("; the fastest of {} plans tried", count_text(point.plans_tried, 3));
  return note("plan", text) + placement_text(step.plan, step.cluster) + precision_text(step);
}

std::string same_loss_text(const StatedRun& run, const RunPoint& point) {
  if (!point.days_to_default_loss) return {};
  const double tokens = run.tokens();
  return note(
      "same loss",
      fmt::format(
          "{} simulated to the loss that {} {} give at the default batch of {} samples; the batch "
          "was chosen by this time, and machines should be compared by it",
          time_words(Seconds{*point.days_to_default_loss * 86400}),
          count_text(tokens > 0 ? tokens : run.samples(), 4), tokens > 0 ? "tokens" : "samples",
          short_count_text(run.phases.front().last_batch())));
}

std::string large_batch_text(const StatedRun& run, const RunEstimate& estimate) {
  if (!estimate.run->critical_batch || run.is_one_step) return {};
  const Amount& critical = *estimate.run->critical_batch;
  const Interval extra = estimate.interval(figure_of(&RunFigures::batch_price));
  return note("large batch",
              fmt::format("{:.0f} % of the samples, {:.0f} to {:.0f} %, are the extra that this "
                          "batch takes to the loss of much smaller ones (critical batch {} {}, {})",
                          100 * estimate.expected.batch_price, 100 * extra.low, 100 * extra.high,
                          count_text(critical.value, 2),
                          critical.of == Counted::Tokens ? "tokens" : "samples",
                          critical_batch_words(run)));
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
  const double batch = estimate.plan.global_batch();
  const double length = run.phases.front().model.sequence_length;
  std::string text =
      length > 0 ? fmt::format("{} x {} = {} tokens", batch, length, count_text(batch * length, 3))
                 : fmt::format("{} samples", batch);
  if (run.has_default_batch)
    text += run.is_one_step ? ", assumed (--batch, --batch-tokens)"
                            : ", which reaches the loss soonest (--batch, --batch-tokens)";
  const double grown = estimate.expected.samples / run.samples();
  if (grown > 1 + 1e-9)
    text +=
        fmt::format("; to the loss of {} tokens at the default {} samples",
                    count_text(run.tokens(), 4), short_count_text(run.phases.front().last_batch()));
  return note("batch", text);
}

std::string job_phases_text(const RunPoint& point) {
  if (point.estimate->run->stretches.size() == 1) return {};
  const auto phases = phase_estimates(point);
  using Row = RunEstimate;
  const auto expected = [](double RunFigures::*figure) { return of_its(&Row::expected, figure); };
  const auto of_step = [](auto figure) {
    return [figure](const Row& r) { return std::invoke(figure, *r.simulated()); };
  };
  const auto counted = [](double count) { return count_text(count, 4); };
  const auto interval = [](const Row& r) {
    return fmt::format("{}-{}", short_figure(r.expected.days * r.time.interval.low),
                       short_figure(r.expected.days * r.time.interval.high));
  };
  const TableColumns<Row> columns{
      left("phase", [](const Row& r) { return r.run->stretches.front().phase; }),
      right("N", of_step([](const SimulatedStep& s) { return s.plan.accelerators(); })),
      right("batch", [](const Row& r) { return batches_text(*r.run); }),
      right("length", of_step([](const SimulatedStep& s) { return s.model.sequence_length; }),
            "{:g}"),
      right("tokens", expected(&RunFigures::tokens), counted),
      right("step s", expected(&RunFigures::step_seconds), short_figure),
      right("tokens/s", expected(&RunFigures::tokens_per_second), counted),
      right("MFU %", expected(&RunFigures::mfu), percent),
      right("days", expected(&RunFigures::days), short_figure),
      right("90 %", interval),
      right("GB", expected(&RunFigures::memory_gigabytes), "{:.1f}"),
      left("plan", of_step([](const SimulatedStep& s) { return plan_words(plan_that_runs(s)); }))};
  return table_text(columns, phases) + "\n";
}

}  // namespace report
}  // namespace tofn
