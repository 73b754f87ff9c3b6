#include <algorithm>

#include "sim/calibration/fit_workloads.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace calibration {
namespace {

std::vector<double> observed_batches(std::span<const Observation* const> seen) {
  std::vector<double> batches;
  for (const Observation* each : seen)
    if (each->samples) batches.push_back(each->run.plan.global_batch());
  std::ranges::sort(batches);
  batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
  return batches;
}

/// Medians over the systems that ran one batch; absent if too few did.
std::optional<ReferencePoint> observed_point(std::span<const Observation* const> seen,
                                             double batch) {
  constexpr std::size_t least_systems = 5;
  std::vector<double> samples;
  std::vector<double> deviations;
  int runs = 0;
  for (const Observation* each : seen) {
    if (!each->samples || each->run.plan.global_batch() != batch) continue;
    samples.push_back(*each->samples);
    if (each->samples_deviation) deviations.push_back(*each->samples_deviation);
    runs += each->run.runs;
  }
  if (samples.size() < least_systems || deviations.empty()) return {};
  return ReferencePoint{.batch = batch,
                        .samples = median(samples),
                        .standard_deviation = median(deviations),
                        .runs = runs};
}

}  // namespace

std::vector<ReferencePoint> convergence_points(const Workload& workload,
                                               std::span<const Observation* const> seen) {
  std::vector<ReferencePoint> points = workload.convergence;
  for (const double batch : observed_batches(seen)) {
    const bool known =
        std::ranges::any_of(points, [&](const auto& point) { return point.batch == batch; });
    if (known) continue;
    if (const auto point = observed_point(seen, batch)) points.push_back(*point);
  }
  std::ranges::sort(points, [](const auto& a, const auto& b) { return a.batch < b.batch; });
  return points;
}

}  // namespace calibration
}  // namespace tofn
