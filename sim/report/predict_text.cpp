#include <cmath>

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/predict_report.hpp"
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

std::vector<std::string> cells_of(const PredictionStudy& study, const PredictedPoint& point,
                                  const ScalingPoint& reference) {
  const RunPrediction& prediction = *point.prediction;
  const RunBreakdown& run = prediction.expected;
  const double total = run.total().time.base();
  const ScalingPoint scaled{.accelerators = point.accelerators, .minutes = total / 60};
  const Seconds step = run.step.total;
  return {accelerators_cell(study, point),
          fmt::format("{:g}", point.run->plan.global_batch()),
          fmt::format("{:g}", point.run->plan.micro_batch),
          time_text(total),
          time_range_text(prediction.total_seconds, total),
          figure(step.base() * 1e3),
          percent(run.step.exposed().time / step),
          minutes(run.evaluation.time),
          minutes(run.fixed.time),
          samples_text(run.samples),
          fmt::format("{:.2f}", speedup(scaled, reference)),
          fmt::format("{:.0f}", 100 * relative_efficiency(scaled, reference)),
          short_figure(energy_kwh(point).value),
          point.expense->usd ? short_figure(*point.expense->usd) : "-",
          std::string(to_text(run.total().basis))};
}

std::vector<std::string> empty_cells(const PredictedPoint& point, std::size_t columns) {
  std::vector<std::string> cells(columns, "-");
  cells.front() = fmt::format("{}", point.accelerators);
  return cells;
}

std::vector<ScalingPoint> scaling_points(const PredictionStudy& study) {
  std::vector<ScalingPoint> points;
  for (const PredictedPoint& point : study.points)
    if (point.prediction) points.push_back(scaling_point(point));
  return points;
}

constexpr const char* predict_text_legend =
    "b: samples per replica and pass; comm %: exposed communication in the step; eval., fixed: "
    "minutes;\n"
    "90 %: interval of the time; basis: what the weakest term of the time rests on\n";

}  // namespace

std::string accelerators_cell(const PredictionStudy& study, const PredictedPoint& point) {
  return fmt::format("{}{}", point.accelerators, fits(study, point) ? "" : "!");
}

std::string mark_text(const PredictionStudy& study) {
  return all_fit(study) ? "" : "!: THE PLAN DOES NOT FIT the memory of these accelerators\n";
}

std::string time_text(double seconds) {
  return seconds > longest_in_minutes ? fmt::format("{} h", figure(seconds / 3600))
                                      : fmt::format("{} min", figure(seconds / 60));
}

std::string time_range_text(const Interval& seconds, double scale) {
  const double unit = scale > longest_in_minutes ? 3600 : 60;
  return fmt::format("{}-{}", figure(seconds.low / unit), figure(seconds.high / unit));
}

std::string samples_text(double samples) {
  if (samples >= 1e6) return fmt::format("{:.3f}M", samples / 1e6);
  return fmt::format("{:.0f}", samples);
}

std::string predict_table_text(const PredictionStudy& study) {
  const auto points = scaling_points(study);
  if (points.empty()) return "";
  const ScalingPoint reference = reference_point(points);
  const std::vector<TextTable::Column> columns{
      {"N"},       {"batch"},  {"b"},     {"time"},  {"90 %"},
      {"step ms"}, {"comm %"}, {"eval."}, {"fixed"}, {"samples"},
      {"speedup"}, {"eff. %"}, {"kWh"},   {"USD"},   {"basis", Align::Left}};
  TextTable table(columns);
  std::string skipped;
  for (const PredictedPoint& point : study.points) {
    table.add(point.prediction ? cells_of(study, point, reference)
                               : empty_cells(point, columns.size()));
    if (!point.prediction)
      skipped += fmt::format("  N = {}: {}\n", point.accelerators, point.skipped_because);
  }
  return fmt::format("{} on {}: time to train, speedup and efficiency against N = {}\n{}",
                     study.workload->name, study.cluster->name, reference.accelerators,
                     table.render()) +
         (skipped.empty() ? "" : "not predicted:\n" + skipped) + mark_text(study) +
         predict_text_legend + '\n' + predict_notes(study);
}

std::string predict_text(const PredictionStudy& study) {
  if (study.workload->convergence.empty()) return predict_steps_text(study);
  if (study.points.size() == 1 && study.points.front().prediction)
    return predict_breakdown_text(study, study.points.front());
  return predict_table_text(study);
}

}  // namespace report
}  // namespace tofn
