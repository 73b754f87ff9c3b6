#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/text_table.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace report {
namespace {

/// What speedups of steps compare: the time of a sample.
ScalingPoint step_point(const PredictedPoint& point) {
  return {.accelerators = point.accelerators, .minutes = 1 / throughput(point) / 60};
}

std::vector<std::string> step_cells_of(const PredictionStudy& study, const PredictedPoint& point,
                                       const ScalingPoint& reference) {
  const StepTimes& step = point.prediction->expected.step;
  const Cost total = step.cost();
  const ScalingPoint scaled = step_point(point);
  return {accelerators_cell(study, point),
          fmt::format("{:g}", point.run->plan.global_batch()),
          fmt::format("{:g}", point.run->plan.micro_batch),
          milliseconds(total.time),
          milliseconds(point.prediction->step_seconds),
          percent(step.exposed().time / total.time),
          fmt::format("{:.4g}", throughput(point)),
          fmt::format("{:.2f}", speedup(scaled, reference)),
          fmt::format("{:.0f}", 100 * relative_efficiency(scaled, reference)),
          short_figure(energy_per_sample(point).base()),
          std::string(to_text(total.basis))};
}

std::string one_text(const PredictionStudy& study, const PredictedPoint& point) {
  const RunPrediction& prediction = *point.prediction;
  return fmt::format("{} on {} x {} ({}): {}{} ms a step, 90 % interval {}, {:.4g} samples/s\n",
                     study.workload->name, point.accelerators, study.cluster->accelerator.name,
                     study.cluster->name, headline_mark(study, point),
                     milliseconds(prediction.expected.step.total),
                     milliseconds(prediction.step_seconds), throughput(point)) +
         batch_text(point.run->plan) + '\n' + step_table_text(prediction) +
         fmt::format("\nenergy        {} a sample, {}\n", to_text(energy_per_sample(point)),
                     to_text(point.expense->energy_basis));
}

std::string all_text(const PredictionStudy& study) {
  std::vector<ScalingPoint> scaling;
  for (const PredictedPoint& point : study.points)
    if (point.prediction) scaling.push_back(step_point(point));
  if (scaling.empty()) return "";
  const ScalingPoint reference = reference_point(scaling);
  const std::vector<TextTable::Column> columns{{"N"},
                                               {"batch"},
                                               {"b"},
                                               {"step ms"},
                                               {"90 %"},
                                               {"comm %"},
                                               {"samples/s"},
                                               {"speedup"},
                                               {"eff. %"},
                                               {"J/sample"},
                                               {"basis", Align::Left}};
  TextTable table(columns);
  std::string skipped;
  for (const PredictedPoint& point : study.points) {
    std::vector<std::string> cells(columns.size(), "-");
    cells.front() = fmt::format("{}", point.accelerators);
    table.add(point.prediction ? step_cells_of(study, point, reference) : cells);
    if (!point.prediction)
      skipped += fmt::format("  N = {}: {}\n", point.accelerators, point.skipped_because);
  }
  return fmt::format("{} on {}: step time, speedup and efficiency against N = {}\n{}",
                     study.workload->name, study.cluster->name, reference.accelerators,
                     table.render()) +
         (skipped.empty() ? "" : "not predicted:\n" + skipped) + mark_text(study) +
         "b: samples per replica and pass; comm %: exposed communication in the step; 90 %: "
         "interval "
         "of the\nstep; speedup in samples/s; basis: what the weakest term rests on\n\n";
}

}  // namespace

std::string predict_steps_text(const PredictionStudy& study) {
  const bool is_one = study.points.size() == 1 && study.points.front().prediction;
  return (is_one ? one_text(study, study.points.front()) : all_text(study)) +
         (study.workload->convergence.empty()
              ? "no target     the workload has no reference convergence points: no time to train\n"
              : "") +
         predict_notes(study);
}

}  // namespace report
}  // namespace tofn
