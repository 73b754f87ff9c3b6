#include <cmath>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/text_table.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr double longest_in_minutes = 120 * 60;

/// About four significant digits, without an exponent.
std::string figure(double value) {
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size < 9.9995 ? 3 : size < 99.995 ? 2 : 1);
}

/// `2.560M` or `3179`.
std::string sample_count_text(double samples) {
  if (samples >= 1e6) return fmt::format("{:.3f}M", samples / 1e6);
  return fmt::format("{:.0f}", samples);
}

const RunPrediction& prediction_of(const RunPoint& point) {
  return point.estimate->benchmark->prediction;
}

/// The parts of a step with their intervals and bases.
std::string part_table(const RunPrediction& prediction) {
  const StepTimes& step = prediction.expected.step;
  const Cost total = step.cost();
  TextTable table(
      {{"one step", Align::Left}, {"ms"}, {"%"}, {"90 % interval"}, {"basis", Align::Left}});
  const auto add = [&](std::string_view title, const Cost& cost, const Interval& interval) {
    table.add({std::string(title), milliseconds(cost.time), percent(cost.time / total.time),
               milliseconds(interval), std::string(to_text(cost.basis))});
  };
  for (std::size_t p = 0; p < step_parts.size(); ++p)
    if (step.parts[p] != Seconds{})
      add(step_part_titles[p], step.cost(step_parts[p].second), prediction.step_part_seconds[p]);
  add("step", total, prediction.step_seconds);
  return table.render() + fmt::format("  communication {} ms in all, {} ms of it exposed\n",
                                      milliseconds(step.communication),
                                      milliseconds(step.exposed().time));
}

/// `global batch 4608 = 64 replicas x 1 accumulation step x 72 samples`
std::string batch_line(const Plan& plan) {
  return fmt::format("global batch {:g} = {} replicas x {} x {:g} samples\n", plan.global_batch(),
                     plan.data_parallel_size,
                     counted(plan.gradient_accumulation, "accumulation step"), plan.micro_batch);
}

std::string headline(const PredictionStudy& study, const RunPoint& point) {
  return fmt::format("{} on {} x {} ({}): {}", study.workload->name, point.accelerators,
                     study.cluster->accelerator.name, study.cluster->name,
                     point.fits ? "" : "DOES NOT FIT (memory, below); had it room, ");
}

/// The time to train, its step and every figure of the only point.
std::string one_run_text(const PredictionStudy& study, const RunPoint& point) {
  const RunPrediction& prediction = prediction_of(point);
  const double total = prediction.expected.total().time.base();
  return headline(study, point) +
         fmt::format("{} to train, 90 % interval {}\n", time_text(total),
                     time_range_text(prediction.total_seconds, total)) +
         batch_line(point.estimate->plan) + '\n' + part_table(prediction) + '\n' +
         figures_table(*point.estimate, false) + '\n';
}

std::string one_step_text(const PredictionStudy& study, const RunPoint& point) {
  const RunPrediction& prediction = prediction_of(point);
  return headline(study, point) +
         fmt::format("{} ms a step, 90 % interval {}, {:.4g} samples/s\n",
                     milliseconds(prediction.expected.step.total),
                     milliseconds(prediction.step_seconds),
                     point.estimate->expected.samples_per_second) +
         batch_line(point.estimate->plan) + '\n' + part_table(prediction) +
         fmt::format("\nenergy        {} a sample, {}\n",
                     to_text(energy_per_sample(*point.estimate)),
                     to_text(point.estimate->expense.energy_basis));
}

std::vector<std::string> run_cells(const RunPoint& point, const ScalingPoint& scaled,
                                   const ScalingPoint& reference) {
  const RunPrediction& prediction = prediction_of(point);
  const RunBreakdown& run = prediction.expected;
  const RunFigures& f = point.estimate->expected;
  const double total = run.total().time.base();
  return {time_text(total),
          time_range_text(prediction.total_seconds, total),
          figure(run.step.total.base() * 1e3),
          percent(run.step.exposed().time / run.step.total),
          minutes(run.evaluation.time),
          minutes(run.fixed.time),
          sample_count_text(run.samples),
          fmt::format("{:.2f}", speedup(scaled, reference)),
          fmt::format("{:.0f}", 100 * relative_efficiency(scaled, reference)),
          percent(f.mfu),
          short_figure(f.kilowatt_hours),
          point.estimate->expense.usd ? short_figure(f.usd) : "-",
          std::string(to_text(run.total().basis))};
}

std::vector<std::string> step_cells(const RunPoint& point, const ScalingPoint& scaled,
                                    const ScalingPoint& reference) {
  const RunPrediction& prediction = prediction_of(point);
  const StepTimes& step = prediction.expected.step;
  const Cost total = step.cost();
  return {milliseconds(total.time),
          milliseconds(prediction.step_seconds),
          percent(step.exposed().time / total.time),
          fmt::format("{:.4g}", point.estimate->expected.samples_per_second),
          fmt::format("{:.2f}", speedup(scaled, reference)),
          fmt::format("{:.0f}", 100 * relative_efficiency(scaled, reference)),
          short_figure(energy_per_sample(*point.estimate).base()),
          std::string(to_text(total.basis))};
}

/// A table of sizes: of runs, or of their steps alone.
struct SizeTable {
  const char* title;
  std::vector<TextTable::Column> columns;
  std::vector<std::string> (*cells)(const RunPoint&, const ScalingPoint&,
                                    const ScalingPoint& reference);
  bool is_of_steps;
  const char* legend;
};

const SizeTable run_table{
    "time to train",
    {{"time"},
     {"90 %"},
     {"step ms"},
     {"comm %"},
     {"eval."},
     {"fixed"},
     {"samples"},
     {"speedup"},
     {"eff. %"},
     {"MFU %"},
     {"kWh"},
     {"USD"},
     {"basis", Align::Left}},
    run_cells,
    false,
    "b: samples per replica and pass; comm %: exposed communication in the step; eval., fixed: "
    "minutes;\n"
    "90 %: interval of the time; basis: what the weakest term of the time rests on\n"};

const SizeTable step_table{
    "step time",
    {{"step ms"},
     {"90 %"},
     {"comm %"},
     {"samples/s"},
     {"speedup"},
     {"eff. %"},
     {"J/sample"},
     {"basis", Align::Left}},
    step_cells,
    true,
    "b: samples per replica and pass; comm %: exposed communication in the step; 90 %: interval "
    "of the\nstep; speedup in samples/s; basis: what the weakest term rests on\n"};

std::string sizes_text(const PredictionStudy& study, const SizeTable& of) {
  const std::vector<ScalingPoint> scaling = scaling_points(study.points, of.is_of_steps);
  if (scaling.empty()) return "";
  const ScalingPoint reference = fitting_reference(study.points, scaling);
  std::vector<TextTable::Column> columns{{"N"}, {"batch"}, {"b"}};
  columns.insert(columns.end(), of.columns.begin(), of.columns.end());
  TextTable table(columns);
  std::string skipped;
  auto scaled = scaling.begin();
  for (const RunPoint& point : study.points) {
    std::vector<std::string> cells{fmt::format("{}{}", point.accelerators, point.fits ? "" : "!")};
    if (point.estimate) {
      const Plan& plan = point.estimate->plan;
      cells.push_back(fmt::format("{:g}", plan.global_batch()));
      cells.push_back(fmt::format("{:g}", plan.micro_batch));
      for (std::string& cell : of.cells(point, *scaled++, reference))
        cells.push_back(std::move(cell));
    } else {
      skipped += fmt::format("  N = {}: {}\n", point.accelerators, point.skipped_because);
    }
    cells.resize(columns.size(), "-");
    table.add(std::move(cells));
  }
  return fmt::format("{}; speedup and efficiency against N = {}\n{}", of.title,
                     reference.accelerators, table.render()) +
         (skipped.empty() ? "" : "not predicted:\n" + skipped) +
         (all_fit(study.points) ? ""
                                : "!: THE PLAN DOES NOT FIT the memory of these accelerators\n") +
         of.legend + '\n';
}

/// What the sizes come to in a sentence, the table, the chart.
std::string runs_text(const PredictionStudy& study) {
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
  return fmt::format("{} on {}{}\n", study.workload->name, study.cluster->name,
                     training_words(study.points, marks)) +
         sizes_text(study, run_table) + time_chart(marks) + '\n';
}

bool is_one(const PredictionStudy& study) {
  return study.points.size() == 1 && study.points.front().estimate;
}

}  // namespace

std::string time_text(double seconds) {
  return seconds > longest_in_minutes ? fmt::format("{} h", figure(seconds / 3600))
                                      : fmt::format("{} min", figure(seconds / 60));
}

std::string time_range_text(const Interval& seconds, double scale) {
  const double unit = scale > longest_in_minutes ? 3600 : 60;
  const std::optional<double> high = upper_end(seconds);
  return fmt::format("{}-{}", figure(seconds.low / unit), high ? figure(*high / unit) : "no end");
}

std::string predict_text(const PredictionStudy& study) {
  if (study.workload->convergence.empty()) return predict_steps_text(study);
  return (is_one(study) ? one_run_text(study, study.points.front()) : runs_text(study)) +
         chances_text(study.limits, study.points) + predict_notes(study);
}

std::string predict_steps_text(const PredictionStudy& study) {
  return (is_one(study) ? one_step_text(study, study.points.front())
                        : fmt::format("{} on {}: ", study.workload->name, study.cluster->name) +
                              sizes_text(study, step_table)) +
         (study.workload->convergence.empty()
              ? "no target     the workload has no reference convergence points: no time to train\n"
              : "") +
         predict_notes(study);
}

}  // namespace report
}  // namespace tofn
