#include "sim/study/workload_study.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

namespace tofn {
inline namespace study {
namespace {

std::vector<ScalingPoint> points_of(std::span<const StudyRow> rows,
                                    const std::string& accelerator) {
  std::vector<ScalingPoint> points;
  for (const StudyRow& row : rows)
    if (row.accelerator == accelerator) points.push_back(row.point());
  return points;
}

std::optional<double> efficiency_against_servers(const StudyRow& row,
                                                 std::span<const ScalingPoint> same_accelerator) {
  std::vector<double> servers;
  for (const ScalingPoint& point : same_accelerator)
    if (point.accelerators == server_accelerators) servers.push_back(point.minutes);
  return scaling_efficiency(row.point(), servers, server_accelerators);
}

void add_efficiencies(WorkloadStudy& study) {
  std::ranges::stable_sort(study.rows, [](const auto& a, const auto& b) {
    return std::tuple(a.accelerators(), a.minutes) < std::tuple(b.accelerators(), b.minutes);
  });
  std::vector<ScalingPoint> points;
  for (const StudyRow& row : study.rows) points.push_back(row.point());
  const ScalingPoint reference = reference_point(points);
  for (std::size_t i = 0; i < study.rows.size(); ++i) {
    StudyRow& row = study.rows[i];
    const auto same = points_of(study.rows, row.accelerator);
    row.speedup = speedup(row.point(), reference);
    row.efficiency = efficiency(row.point(), reference);
    row.relative_efficiency = relative_efficiency(row.point(), reference);
    row.own_efficiency = relative_efficiency(row.point(), reference_point(same));
    row.scaling_efficiency = efficiency_against_servers(row, same);
    if (row.accelerators() == reference.accelerators && row.minutes == reference.minutes)
      study.reference = i;
  }
}

}  // namespace

std::vector<WorkloadStudy> study_workloads(std::span<const NamedRow> rows) {
  std::vector<WorkloadStudy> studies;
  for (const NamedRow& named : rows) {
    if (!named.row.outcome.official_minutes || named.row.inputs.accelerators == 0) continue;
    auto study = std::ranges::find(studies, named.workload, &WorkloadStudy::workload);
    if (study == studies.end()) {
      studies.push_back({.workload = named.workload, .rows = {}});
      study = std::prev(studies.end());
    }
    study->rows.push_back({.published = named.row,
                           .accelerator = named.accelerator,
                           .minutes = *named.row.outcome.official_minutes,
                           .scaling_efficiency = {}});
  }
  for (WorkloadStudy& study : studies) add_efficiencies(study);
  return studies;
}

std::vector<std::string> systems_in_every_workload(std::span<const WorkloadStudy> studies) {
  std::map<std::string, std::size_t> workloads_of;
  for (const WorkloadStudy& study : studies) {
    std::vector<std::string> names;
    for (const StudyRow& row : study.rows) names.push_back(row.published.full_name());
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names) ++workloads_of[name];
  }
  std::vector<std::string> everywhere;
  for (const auto& [name, count] : workloads_of)
    if (count == studies.size()) everywhere.push_back(name);
  return everywhere;
}

std::vector<const StudyRow*> repeated_rows(const WorkloadStudy& study) {
  std::vector<const StudyRow*> repeated;
  for (std::size_t i = 1; i < study.rows.size(); ++i) {
    const StudyRow& row = study.rows[i];
    const bool seen = std::any_of(
        study.rows.begin(), study.rows.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const StudyRow& other) { return same_runs(other.published, row.published); });
    if (seen) repeated.push_back(&row);
  }
  return repeated;
}

}  // namespace study
}  // namespace tofn
