#include "sim/report/run_records.hpp"

#include "sim/answers/model_run.hpp"
#include "sim/report/run_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Sizes of the lines, and the reference that they are compared with.
struct Scaling {
  std::vector<ScalingPoint> points;  ///< of the lines with an estimate, in their order
  ScalingPoint reference;
};

Scaling scaling_of(const std::vector<RunPoint>& points) {
  std::vector<ScalingPoint> scaling = scaling_points(points);
  const ScalingPoint reference =
      scaling.empty() ? ScalingPoint{} : fitting_reference(points, scaling);
  return {.points = std::move(scaling), .reference = reference};
}

/// `scaling`: empty if the lines are not sizes.
Records records_of_lines(const RunRequest& request, std::vector<RunLine> lines,
                         const Scaling& scaling = {}) {
  auto next = scaling.points.begin();
  for (RunLine& line : lines)
    if (line.estimate != nullptr && next != scaling.points.end()) line.scaled = *next++;
  return records_of(columns_of_runs(request, scaling.reference), lines);
}

RunLine line_of(const RunPoint& point) {
  return {.point = &point, .estimate = point.estimate ? &*point.estimate : nullptr};
}

}  // namespace

Records run_records(const PredictAnswer& answer) {
  std::vector<RunLine> lines;
  for (const RunPoint& point : answer.points) lines.push_back(line_of(point));
  return records_of_lines(answer.request, std::move(lines), scaling_of(answer.points));
}

Records phase_records(const PredictAnswer& answer) {
  std::vector<std::vector<RunEstimate>> phases;
  for (const RunPoint& point : answer.points) phases.push_back(phase_estimates(point));
  std::vector<RunLine> lines;
  for (std::size_t i = 0; i < phases.size(); ++i)
    for (const RunEstimate& phase : phases[i])
      lines.push_back({.point = &answer.points[i],
                       .estimate = &phase,
                       .phase = phase.run->stretches.front().phase});
  return records_of_lines(answer.request, std::move(lines));
}

}  // namespace report
}  // namespace tofn
