#include <cmath>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace report {
namespace {

const RunPrediction& prediction_of(const RunPoint& point) {
  return point.estimate->benchmark->prediction;
}

/// Table of the parts of a step with their intervals and bases.
std::string part_table(const RunPrediction& prediction) {
  const StepTimes& step = prediction.expected.step;
  const Cost total = step.cost();
  struct Row {
    std::string_view title;
    Cost cost;
    Interval seconds;
  };
  std::vector<Row> rows;
  for (std::size_t p = 0; p < step_parts.size(); ++p)
    if (step.parts[p] != Seconds{})
      rows.push_back(
          {step_part_titles[p], step.cost(step_parts[p].second), prediction.step_part_seconds[p]});
  rows.push_back({"step", total, prediction.step_seconds});
  const auto interval = [](const Row& r) {
    return milliseconds(Seconds{r.seconds.low}) + '-' + milliseconds(Seconds{r.seconds.high});
  };
  const TableColumns<Row> columns{
      left("one step", &Row::title), right("ms", of_its(&Row::cost, &Cost::time, milliseconds)),
      right("%", [&](const Row& r) { return percent(r.cost.time / total.time); }),
      right("90 % interval", interval), left("basis", of_its(&Row::cost, &Cost::basis))};
  return table_text(columns, rows) +
         fmt::format("  communication {} ms in all, {} ms of it exposed\n",
                     milliseconds(step.communication), milliseconds(step.exposed().time));
}

/// Line such as `4608 = 64 replicas x 1 accumulation step x 72 samples; the batch of known
/// convergence that trains soonest`.
std::string batch_line(const PredictionStudy& study, const Plan& plan) {
  return note("batch", fmt::format("{:g} = {} replicas x {} x {:g} samples; {}",
                                   plan.global_batch(), plan.data_parallel_size,
                                   counted(plan.gradient_accumulation, "accumulation step"),
                                   plan.micro_batch, study.batch_choice));
}

/// Words on the plan's use of memory; empty if measured runs do not show it.
std::string memory_words(const PredictionStudy& study, const RunPoint& point) {
  if (!point.estimate->memory) return {};
  return fmt::format("of {} on the most loaded rank: {}",
                     to_text(study.cluster->accelerator.memory.value),
                     point.fits ? "it fits" : "IT DOES NOT FIT");
}

/// Text of a single point: its run, or its step if it trains to no target.
AnswerText one_text(const PredictionStudy& study, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const std::string chance = chance_words(point, study.limits);
  AnswerText text;
  text.screen =
      fmt::format("{} on {} x {} ({}): {}{}{}\n\n", study.workload->name, point.accelerators,
                  study.cluster->accelerator.name, study.cluster->name,
                  point.fits ? "" : "DOES NOT FIT the memory; if it did: ", run_headline(point),
                  chance.empty() ? "" : "; " + chance);
  text.screen += run_facts_text(point, memory_words(study, point));
  text.screen += weights_text(study, point) + '\n' + step_bars_text(run.step) + '\n' +
                 plan_line(study) + batch_line(study, run.plan) + assumed_lines(study) +
                 ranges_text(run) +
                 listed_note("next", {"-N 8..512", "--sensitivity", "--details", "tofn scale"});
  text.details = part_table(prediction_of(point)) + '\n';
  if (!run.is_one_step) text.details += figures_table(run) + '\n';
  text.details += predict_notes(study);
  if (run.is_one_step)
    text.details += note("energy", fmt::format("{} a sample, {}", to_text(energy_per_sample(run)),
                                               to_text(run.expense.energy_basis)));
  return text;
}

std::vector<const RunPoint*> estimated(const PredictionStudy& study) {
  std::vector<const RunPoint*> points;
  for (const RunPoint& point : study.points)
    if (point.estimate) points.push_back(&point);
  return points;
}

bool is_one_step(const PredictionStudy& study) {
  return estimated(study).front()->estimate->is_one_step;
}

/// Table with details of the run, or of a step only, for each size.
std::string details_table(const PredictionStudy& study) {
  const bool one_step = is_one_step(study);
  using Row = const RunPoint*;
  const auto of_run = [](auto figure) {
    return [figure](const Row& r) { return figure(prediction_of(*r).expected); };
  };
  const auto exposed = [](const RunBreakdown& run) {
    return run.step.exposed().time / run.step.total;
  };
  TableColumns<Row> columns{
      right("N", &RunPoint::accelerators),
      right("exposed communication %", of_run(exposed), percent),
      right(
          "J/sample", [](const Row& r) { return energy_per_sample(*r->estimate).base(); },
          short_figure)};
  if (!one_step)
    columns.insert(columns.end(),
                   {right("evaluation min", of_run([](const RunBreakdown& run) {
                            return minutes(run.evaluation.time);
                          })),
                    right("fixed min",
                          of_run([](const RunBreakdown& run) { return minutes(run.fixed.time); })),
                    right("samples", of_run([](const RunBreakdown& run) { return run.samples; }),
                          short_figure)});
  columns.push_back(left("basis", of_run([=](const RunBreakdown& run) {
                           return one_step ? run.step.cost().basis : run.total().basis;
                         })));
  return table_text(columns, estimated(study));
}

/// Table with a line for each size: time, step, speedup and efficiency.
std::string sizes_table(const PredictionStudy& study) {
  const bool one_step = is_one_step(study);
  const std::vector<ScalingPoint> scaling = scaling_points(study.points);
  if (scaling.empty()) return {};
  const ScalingPoint reference = fitting_reference(study.points, scaling);
  struct Row {
    const RunPoint& point;
    const ScalingPoint& size;
  };
  std::vector<Row> rows;
  std::string skipped;
  for (const RunPoint& point : study.points)
    if (point.estimate)
      rows.push_back({point, scaling[rows.size()]});
    else
      skipped +=
          note("left out", fmt::format("N = {}: {}", point.accelerators, point.skipped_because));
  const auto of_prediction = [](auto figure) {
    return [figure](const Row& r) { return figure(prediction_of(r.point)); };
  };
  const auto expected = [](double RunFigures::*figure) {
    return [figure](const Row& r) { return r.point.estimate->expected.*figure; };
  };
  const auto in = [](const Interval& seconds, double unit) {
    const auto high = upper_end(seconds);
    return fmt::format("{} to {}", short_figure(seconds.low / unit),
                       high ? short_figure(*high / unit) : "no end");
  };
  using P = RunPrediction;
  const auto size = [](const Row& r) {
    return fmt::format("{}{}", r.point.accelerators, r.point.fits ? "" : "!");
  };
  const auto usd = [](const Row& r) {
    const RunEstimate& run = *r.point.estimate;
    return run.expense.usd ? std::optional(run.expected.usd) : std::nullopt;
  };
  TableColumns<Row> columns{
      right("N", size),
      right(
          "batch", [](const Row& r) { return r.point.estimate->plan.global_batch(); }, "{:g}")};
  if (!one_step)
    columns.insert(
        columns.end(),
        {right("minutes",
               of_prediction([](const P& p) { return p.expected.total().time.base() / 60; }),
               short_figure),
         right("90 %", of_prediction([=](const P& p) { return in(p.total_seconds, 60); }))});
  columns.push_back(
      right("step ms", of_prediction([](const P& p) { return p.expected.step.total.base() * 1e3; }),
            short_figure));
  if (one_step)
    columns.insert(
        columns.end(),
        {right("90 %", of_prediction([=](const P& p) { return in(p.step_seconds, 1e-3); })),
         right("samples/s", expected(&RunFigures::samples_per_second), short_figure)});
  columns.insert(
      columns.end(),
      {right(
           "speedup", [&](const Row& r) { return speedup(r.size, reference); }, "{:.2f}"),
       right(
           "eff. %", [&](const Row& r) { return relative_efficiency(r.size, reference); },
           [](double share) { return fmt::format("{:.0f}", 100 * share); }),
       right("MFU %", expected(&RunFigures::mfu), percent)});
  if (!one_step) columns.push_back(right("USD", usd, short_figure));
  return table_text(columns, rows) +
         (all_fit(study.points) ? ""
                                : "!: THE PLAN DOES NOT FIT the memory of these accelerators\n") +
         skipped;
}

std::vector<SizeMark> minutes_of(const PredictionStudy& study) {
  std::vector<SizeMark> marks;
  for (const RunPoint* point : compared(study.points)) {
    const RunPrediction& run = prediction_of(*point);
    marks.push_back({.accelerators = point->accelerators,
                     .time = run.expected.total().time.base() / 60,
                     .interval = {run.total_seconds.low / 60, run.total_seconds.high / 60}});
    SizeMark& mark = marks.back();
    mark.efficiency =
        marks.front().time * marks.front().accelerators / (mark.time * mark.accelerators);
  }
  return marks;
}

AnswerText sizes_text(const PredictionStudy& study) {
  const bool one_step = is_one_step(study);
  AnswerText text;
  const std::vector<SizeMark> marks = one_step ? std::vector<SizeMark>{} : minutes_of(study);
  text.screen = fmt::format("{} on {}{}\n\n", study.workload->name, study.cluster->name,
                            one_step ? ": a step" : training_words(study.points, marks)) +
                sizes_table(study) + chances_text(study.limits, study.points) + '\n' +
                time_chart(marks) + plan_line(study) + note("batch", study.batch_choice) +
                assumed_lines(study) +
                listed_note("next", {"one -N for its step and money", "--details", "tofn scale"});
  text.details = details_table(study) + '\n' + predict_notes(study);
  return text;
}

}  // namespace

AnswerText predict_text(const PredictionStudy& study) {
  const bool is_one = study.points.size() == 1 && study.points.front().estimate;
  AnswerText text = is_one ? one_text(study, study.points.front()) : sizes_text(study);
  if (study.workload->convergence.empty())
    text.screen +=
        note("no target", "the workload has no reference convergence points, so no time to train");
  return text;
}

}  // namespace report
}  // namespace tofn
