#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/calibration/run_candidates.hpp"
#include "sim/core/largest_job.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/memory/fitting.hpp"
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
  std::string way_out;   ///< the nearest plan that fits, if this one does not
  std::string plan;      ///< lines `plan` and `precision`
  std::string batch;
  std::string no_target{};             ///< why there is no time to train
  std::string phases{};                ///< table
  std::string basis;                   ///< what steps and samples rest on
  std::vector<std::string> next_of{};  ///< questions that only such a run answers
};

/// Advice where no plan on as many accelerators fits.
std::string to_try(const ModelRun& request, const SimulatedStep& step) {
  constexpr double bytes = 2;  // of a parameter's weight alone
  const double all = bytes * parameters(step.model);
  const double memory = request.cluster.accelerator.memory.value.base();
  if (all > memory * step.plan.accelerators())
    return fmt::format("more of them (-N): the weights alone fill {:.0f} of them",
                       std::ceil(all / memory));
  return request.space == PlanSpace::All ? "more of them (-N)"
                                         : "--search all, or more of them (-N)";
}

RunLines lines_of(const ModelRun& request, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const SimulatedStep& step = *run.simulated();
  const SimulatedStep& fullest = *fullest_step(*run.run);
  std::string title = request.run.name;
  if (!run.is_one_step) title += ", " + trained_words(run.expected.tokens, run.expected.samples);
  return {.title = std::move(title),
          .hardware = hardware_words(step) + ": " + does_not_fit_words(fullest),
          .memory = step_memory_words(fullest),
          .way_out = point.fits
                         ? ""
                         : way_out_text(point.way_out, to_try(request, fullest), point.way_out_of),
          .plan = job_plan_text(point),
          .batch = batch_text(request.run, run) + same_loss_text(request.run, point),
          .phases = job_phases_text(point),
          .basis = large_batch_text(request.run, run),
          .next_of = {"tofn explore", "tofn plan"}};
}

RunLines lines_of(const WorkloadRun& request, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const Cluster& cluster = request.machine();
  const SimulatedStep* fullest = fullest_step(*run.run);
  return {.title = request.open.workload->name,
          .hardware = fmt::format("{} x {} ({}): {}", point.accelerators, cluster.accelerator.name,
                                  cluster.name, fullest ? does_not_fit_words(*fullest, "") : ""),
          .memory = fullest ? step_memory_words(*fullest) : "",
          .way_out = {},
          .plan = workload_plan_text(request, {point}),
          .batch = workload_batch_text(request, {point}) + weights_text(request, point),
          .no_target = no_target_text(request),
          .basis = workload_basis_text(request, {point})};
}

/// Lines on all sizes of a run that its tables do not have.
struct SizesLines {
  std::string plan{};
  std::string batch;
  std::string no_target{};
  std::string basis{};
};

SizesLines lines_of(const ModelRun& request, const std::vector<RunSize>& sizes, const Points&) {
  return {.batch = have_one_batch(sizes)
                       ? batch_text(request.run, *sizes.front().estimate)
                       : note("batch",
                              "the one that reaches the loss soonest at that N (--batch, "
                              "--batch-tokens)")};
}

SizesLines lines_of(const WorkloadRun& request, const std::vector<RunSize>&, const Points& points) {
  return {.plan = workload_plan_text(request, points),
          .batch = workload_batch_text(request, points),
          .no_target = no_target_text(request),
          .basis = workload_basis_text(request, points)};
}

std::string warnings_text(const RunPoint& point) {
  std::string text;
  for (const std::string& warning : point.warnings) text += note("WARNING", warning);
  return text;
}

/// Line on the overrun in the interval of days.
std::string overrun_text(const RunEstimate& run) {
  if (run.is_one_step || run.is_scored) return {};
  return note("ranges", "are meant to hold 90 % of " + overrun_words(run.overrun));
}

/// A round time at or somewhat above the expected one: `250d` for 212 days.
std::string near_deadline(const RunEstimate& run) {
  const double seconds = 24 * seconds_per_hour * *run.typical(figure_of(&RunFigures::days));
  double unit = 60;
  for (const double longer : {seconds_per_hour, 24 * seconds_per_hour})
    if (seconds >= longer) unit = longer;
  const double step = unit * std::pow(10, std::floor(std::log10(seconds / unit))) / 2;
  std::string text = to_text(Seconds{std::ceil(seconds / step) * step});
  std::erase(text, ' ');
  return text;
}

/// Half to eight times as many accelerators, as far as a workload's replicas and batches take them;
/// empty if they take no others.
std::string sizes_to_ask(const RunRequest& request, const RunPoint& point) {
  constexpr int times_larger = 8;
  const int size = point.accelerators;
  int fewest = std::max(1, size / 2);
  int most = std::min(largest_job / times_larger, size) * times_larger;
  if (const auto* of = std::get_if<WorkloadRun>(&request.of)) {
    const int replica = point.estimate->plan.model_parallel_size();
    if (of->open.workload->simulated) fewest = std::max(fewest, replica);
    const std::vector<double> known = known_batches(of->calibration, *of->open.workload);
    const std::optional<double> batch = of->open.global_batch || known.empty()
                                            ? of->open.global_batch
                                            : std::optional(known.back());
    while (batch && !of->open.replica_batch && most > size && most > replica * *batch) most /= 2;
  }
  return fewest < most ? fmt::format("-N {}..{}", fewest, most) : "";
}

std::string next_text(const RunRequest& request, const RunPoint& point,
                      const std::vector<std::string>& next_of) {
  const RunEstimate& run = *point.estimate;
  std::vector<std::string> next;
  if (run.is_one_step && !next_of.empty())
    next.emplace_back("--tokens 1T");
  else if (!run.is_one_step && !run.is_scored && request.limits.empty())
    next.push_back("--deadline " + near_deadline(run));
  if (std::string sizes = sizes_to_ask(request, point); !sizes.empty())
    next.push_back(std::move(sizes));
  next.insert(next.end(), {"--sensitivity", "--details", "tofn scale"});
  next.insert(next.end(), next_of.begin(), next_of.end());
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

AnswerText point_text(const RunRequest& request, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const RunLines lines =
      std::visit([&](const auto& of) { return lines_of(of, point); }, request.of);
  const std::string chance = chance_words(point, request.limits);
  AnswerText text;
  text.screen = fmt::format("{} on {}{}{}\n\n", lines.title, lines.hardware, run_headline(point),
                            chance.empty() ? "" : "; " + chance) +
                run_facts_text(point, lines.memory) + lines.way_out + warnings_text(point) + '\n' +
                step_bars_text(run.step) + '\n' + beside_steps_text(run) + lines.plan +
                lines.batch + assumed_text(request, point) + ranges_text(run) + lines.no_target +
                next_text(request, point, lines.next_of);
  text.details = lines.phases + part_table(run) + figures_table(run) + '\n' + lines.basis +
                 overrun_text(run) +
                 note("energy", to_text(energy_per_sample(run)) + " a sample, of the steps alone") +
                 expense_text(request, point);
  return text;
}

std::vector<RunSize> sizes_of(const Points& points) {
  std::vector<RunSize> sizes;
  const std::vector<ScalingPoint> scaling = scaling_points(points);
  const ScalingPoint reference = fitting_reference(points, scaling);
  const auto is_tight = [](const RunEstimate& estimate) {
    const SimulatedStep* step = estimate.run ? fullest_step(*estimate.run) : nullptr;
    return step != nullptr && !step->memory.empty() &&
           is_close(step->memory[step->tightest()], step->holder(step->tightest()));
  };
  for (const RunPoint& point : points)
    if (point.estimate)
      sizes.push_back({.accelerators = point.accelerators,
                       .estimate = &*point.estimate,
                       .fits = point.fits,
                       .fits_barely = is_tight(*point.estimate),
                       .days_to_default_loss = point.days_to_default_loss,
                       .scaled = scaling[sizes.size()],
                       .reference = reference});
  return sizes;
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
  const RunRequest& request = answer.request;
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
  const SizesLines lines =
      std::visit([&](const auto& of) { return lines_of(of, sizes, answer.points); }, request.of);
  const std::vector<SizeMark> marks =
      run.is_one_step ? std::vector<SizeMark>{} : run_marks(answer.points);
  AnswerText text;
  text.screen =
      fmt::format("{} on {}{}\n\n", request.names().run, request.cluster().name,
                  run.is_one_step ? step_words(sizes) : training_words(answer.points, marks)) +
      run_sizes_table(sizes) + chances_text(request.limits, answer.points) + '\n' +
      time_chart(marks) + lines.plan + lines.batch + skipped + warnings +
      substitutions_text(all.substitutions) + ranges_text(run) + lines.no_target +
      listed_note("next", {"one -N for its step, memory and money", "--details for the plans",
                           "tofn scale"});
  text.details = run_shares_table(sizes) + '\n' + run_plans_table(sizes) + '\n' + lines.basis +
                 overrun_text(run) + expense_text(request, *largest);
  return text;
}

}  // namespace

AnswerText predict_text(const PredictAnswer& answer) {
  return answer.points.size() == 1 ? point_text(answer.request, answer.points.front())
                                   : sizes_text(answer);
}

}  // namespace report
}  // namespace tofn
