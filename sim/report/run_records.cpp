#include "sim/report/run_records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
Records records_of_lines(const RunQuestion& request, std::vector<RunLine> lines,
                         const Scaling& scaling = {}) {
  auto next = scaling.points.begin();
  for (RunLine& line : lines)
    if (line.estimate != nullptr && next != scaling.points.end()) line.scaled = *next++;
  return records_of(columns_of_runs(request, scaling.reference), lines);
}

RunLine line_of(const RunPoint& point) {
  return {.point = &point, .estimate = point.estimate ? &*point.estimate : nullptr};
}

RunQuestion question_of(const JobRequest& request) {
  return {.model = request.model().name,
          .run = request.run.name,
          .cluster = &request.cluster,
          .grid_intensity = request.grid_intensity,
          .limits = request.limits,
          .batch_is_assumed = request.run.has_default_batch};
}

}  // namespace

Records run_records(const JobRequest& request, const JobAnswer& answer) {
  std::vector<RunLine> lines;
  for (const RunPoint& point : answer.points) {
    RunLine& line = lines.emplace_back(line_of(point));
    if (point.estimate)
      line.assumed = fmt::format("{}", fmt::join(point.estimate->expense.assumed, "; "));
  }
  return records_of_lines(question_of(request), std::move(lines), scaling_of(answer.points));
}

Records run_records(const PredictionStudy& study) {
  std::vector<RunLine> lines;
  for (const RunPoint& point : study.points) {
    RunLine& line = lines.emplace_back(line_of(point));
    line.assumed = fmt::format("{}", fmt::join(assumed_figures(study, point), "; "));
  }
  return records_of_lines({.workload = study.workload->name,
                           .model = study.workload->model,
                           .run = study.workload->name,
                           .cluster = study.cluster,
                           .grid_intensity = study.grid_intensity,
                           .limits = study.limits,
                           .release = study.settings.software_release},
                          std::move(lines), scaling_of(study.points));
}

Records phase_records(const JobRequest& request, const JobAnswer& answer) {
  std::vector<std::vector<RunEstimate>> phases;
  for (const RunPoint& point : answer.points) phases.push_back(phase_estimates(point));
  std::vector<RunLine> lines;
  for (std::size_t i = 0; i < phases.size(); ++i)
    for (const RunEstimate& phase : phases[i])
      lines.push_back({.point = &answer.points[i],
                       .estimate = &phase,
                       .phase = phase_name(request.run, phase.job->phases.front().part_of)});
  return records_of_lines(question_of(request), std::move(lines));
}

}  // namespace report
}  // namespace tofn
