#include <algorithm>

#include <fmt/format.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

using Points = std::vector<RunPoint>;

/// Lines that differ between a model's run, whose phases are simulated, and a workload's, whose
/// steps were measured.
struct RunLines {
  std::string title;     ///< such as `llama3-8b, 2T tokens`
  std::string hardware;  ///< such as `64 x H100 SXM (dgx-h100)`
  std::string memory;    ///< words after the peak; empty if it is unknown
  std::string plan;      ///< lines `plan` and `precision`
  std::string batch;
  std::string phases;  ///< table
  std::string notes;   ///< what steps and samples rest on
};

RunLines lines_of(const JobRequest& request, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const SimulatedStep& step = *run.simulated();
  const SimulatedStep& fullest = *fullest_step(*run.run);
  std::string title = request.run.name;
  if (!run.is_one_step) title += ", " + trained_words(run.expected.tokens, run.expected.samples);
  return {.title = std::move(title),
          .hardware = hardware_words(step) + ": " + does_not_fit_words(fullest),
          .memory = step_memory_words(fullest),
          .plan = job_plan_text(point),
          .batch = batch_text(request.run, run) + same_loss_text(request.run, point),
          .phases = job_phases_text(request, point),
          .notes = large_batch_text(request.run, run)};
}

RunLines lines_of(const WorkloadRequest& request, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const Cluster& cluster = *request.run.cluster;
  return {.title = request.run.workload->name,
          .hardware =
              fmt::format("{} x {} ({}): {}", point.accelerators, cluster.accelerator.name,
                          cluster.name, point.fits ? "" : "DOES NOT FIT the memory; if it did: "),
          .memory = run.memory ? fmt::format("of {} on the most loaded rank: {}",
                                             to_text(cluster.accelerator.memory.value),
                                             point.fits ? "it fits" : "IT DOES NOT FIT")
                               : "",
          .plan = workload_plan_text(request, {point}),
          .batch = workload_batch_text(request, {point}) + weights_text(request, point),
          .phases = {},
          .notes = workload_notes_text(request, {point})};
}

RunLines lines_of(const RunQuestion& asked, const RunPoint& point) {
  return asked.job != nullptr ? lines_of(*asked.job, point) : lines_of(*asked.benchmark, point);
}

std::string warnings_text(const RunPoint& point) {
  std::string text;
  for (const std::string& warning : point.warnings) text += note("WARNING", warning);
  return text;
}

/// Line on the nearest plan that fits, if this one does not.
std::string way_out_text(const RunQuestion& asked, const RunPoint& point) {
  if (point.fits || asked.job == nullptr) return {};
  return way_out_text(point.way_out, asked.job->space == PlanSpace::All
                                         ? "more of them (-N)"
                                         : "--search all, or more of them (-N)");
}

/// Line on the overrun in the interval of days.
std::string overrun_text(const RunEstimate& run) {
  if (run.is_one_step || run.is_scored) return {};
  return note("ranges", "are meant to hold 90 % of " + overrun_words(run.overrun));
}

/// Line on a workload without a target; empty for other runs.
std::string no_target_text(const RunQuestion& asked) {
  if (asked.benchmark == nullptr || !asked.benchmark->run.workload->convergence.empty()) return {};
  return note("no target", "the workload has no reference convergence points, so no time to train");
}

std::string next_text(const RunQuestion& asked, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  std::vector<std::string> next;
  if (run.is_one_step && asked.job != nullptr)
    next.emplace_back("--tokens 1T");
  else if (!run.is_one_step && !run.is_scored && asked.limits.empty())
    next.emplace_back("--deadline 30d");
  next.push_back(
      fmt::format("-N {}..{}", std::max(1, point.accelerators / 2), 8 * point.accelerators));
  next.insert(next.end(), {"--sensitivity", "--details", "tofn scale"});
  if (asked.job != nullptr) next.insert(next.end(), {"tofn explore", "tofn plan"});
  return listed_note("next", next);
}

/// Table of the parts of a step, with intervals if they are sampled.
std::string part_table(const RunEstimate& run) {
  struct Row {
    std::string_view title;
    Cost cost;
    std::optional<Interval> seconds;
  };
  std::vector<Row> rows;
  const StepTimes& step = run.step;
  for (std::size_t p = 0; p < step_parts.size(); ++p)
    if (step.parts[p] != Seconds{})
      rows.push_back(
          {step_part_titles[p], step.cost(step_parts[p].second),
           run.step_part_seconds.empty() ? std::nullopt : std::optional(run.step_part_seconds[p])});
  rows.push_back({"step", step.cost(), run.interval(figure_of(&RunFigures::step_seconds))});
  const auto interval = [](const Row& r) {
    return r.seconds ? milliseconds(Seconds{r.seconds->low}) + " to " +
                           milliseconds(Seconds{r.seconds->high})
                     : "";
  };
  const TableColumns<Row> columns{
      left("one step", &Row::title), right("ms", of_its(&Row::cost, &Cost::time, milliseconds)),
      right("%", [&](const Row& r) { return percent(r.cost.time / step.total); }),
      right("90 %", interval), left("basis", of_its(&Row::cost, &Cost::basis))};
  return table_text(columns, rows) +
         fmt::format("  communication {} ms in all, {} ms of it exposed\n\n",
                     milliseconds(step.communication), milliseconds(step.exposed().time));
}

AnswerText point_text(const RunQuestion& asked, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const RunLines lines = lines_of(asked, point);
  const std::string chance = chance_words(point, asked.limits);
  AnswerText text;
  text.screen = fmt::format("{} on {}{}{}\n\n", lines.title, lines.hardware, run_headline(point),
                            chance.empty() ? "" : "; " + chance) +
                run_facts_text(point, lines.memory) + way_out_text(asked, point) +
                warnings_text(point) + '\n' + step_bars_text(run.step) + '\n' + lines.plan +
                lines.batch + assumed_text(asked, point) + ranges_text(run) +
                no_target_text(asked) + next_text(asked, point);
  text.details = lines.phases + part_table(run) + figures_table(run) + '\n' + lines.notes +
                 overrun_text(run) +
                 note("energy", to_text(energy_per_sample(run)) + " a sample, of the steps alone") +
                 expense_text(asked, point);
  return text;
}

std::vector<RunSize> sizes_of(const Points& points) {
  std::vector<RunSize> sizes;
  const std::vector<ScalingPoint> scaling = scaling_points(points);
  const ScalingPoint reference = fitting_reference(points, scaling);
  for (const RunPoint& point : points)
    if (point.estimate)
      sizes.push_back({.accelerators = point.accelerators,
                       .estimate = &*point.estimate,
                       .fits = point.fits,
                       .days_to_default_loss = point.days_to_default_loss,
                       .scaled = scaling[sizes.size()],
                       .reference = reference});
  return sizes;
}

/// Line on the one batch of all sizes, or on how the batch of each was chosen.
std::string batches_text(const PredictAnswer& answer, const std::vector<RunSize>& sizes) {
  const RunQuestion& asked = answer.question;
  if (asked.benchmark != nullptr) return workload_batch_text(*asked.benchmark, answer.points);
  if (have_one_batch(sizes)) return batch_text(asked.job->run, *sizes.front().estimate);
  return note("batch", "the one that reaches the loss soonest at that N (--batch, --batch-tokens)");
}

/// Words such as `: a step takes 95.0 ms on 8, 79.5 ms on 64 accelerators`.
std::string step_words(const std::vector<RunSize>& sizes) {
  const auto on = [](const RunSize& size) {
    return fmt::format("{} on {}", time_words(size.estimate->step.total), size.accelerators);
  };
  return fmt::format(": a step takes {}{} accelerators", on(sizes.front()),
                     sizes.size() > 1 ? ", " + on(sizes.back()) : "");
}

AnswerText sizes_text(const PredictAnswer& answer) {
  const RunQuestion& asked = answer.question;
  const std::vector<RunSize> sizes = sizes_of(answer.points);
  const RunPoint* largest = nullptr;
  RunPoint all;
  std::string skipped;
  std::string warnings;
  for (const RunPoint& point : answer.points) {
    add_new(all.substitutions, point.substitutions);
    warnings += warnings_text(point);
    if (point.estimate)
      largest = &point;
    else
      skipped +=
          note("left out", fmt::format("N = {}: {}", point.accelerators, point.skipped_because));
  }
  const RunEstimate& run = *largest->estimate;
  const std::vector<SizeMark> marks =
      run.is_one_step ? std::vector<SizeMark>{} : run_marks(answer.points);
  AnswerText text;
  text.screen =
      fmt::format("{} on {}{}\n\n", asked.run, asked.cluster->name,
                  run.is_one_step ? step_words(sizes) : training_words(answer.points, marks)) +
      run_sizes_table(sizes) + chances_text(asked.limits, answer.points) + '\n' +
      time_chart(marks) +
      (asked.benchmark != nullptr ? workload_plan_text(*asked.benchmark, answer.points) : "") +
      batches_text(answer, sizes) + skipped + warnings + substitutions_text(all.substitutions) +
      ranges_text(run) + no_target_text(asked) +
      listed_note("next", {"one -N for its step, memory and money", "--details for the plans",
                           "tofn scale"});
  text.details =
      run_shares_table(sizes) + '\n' + run_plans_table(sizes) + '\n' +
      (asked.benchmark != nullptr ? workload_notes_text(*asked.benchmark, answer.points) : "") +
      overrun_text(run) + expense_text(asked, *largest);
  return text;
}

}  // namespace

AnswerText predict_text(const PredictAnswer& answer) {
  return answer.points.size() == 1 ? point_text(answer.question, answer.points.front())
                                   : sizes_text(answer);
}

}  // namespace report
}  // namespace tofn
