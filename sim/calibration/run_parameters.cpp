#include <algorithm>

#include "sim/calibration/choose_run.hpp"

namespace tofn {
inline namespace calibration {

const WorkloadCalibration* Calibration::of(const Workload& workload) const {
  for (const WorkloadCalibration& each : workloads_)
    if (each.workload == &workload && (workload.simulated || !each.accelerators.empty()))
      return &each;
  return nullptr;
}

RunParameters parameters_of(const RunDescription& run, const Calibration& calibration) {
  return calibration.of(*run.workload) != nullptr ? calibration.parameters_for(run)
                                                  : assumed_parameters(run);
}

Run benchmark_run(const RunDescription& run, const Calibration& calibration, std::uint64_t seed) {
  return benchmark_run(run, parameters_of(run, calibration), seed);
}

std::string newest_release(const Calibration& calibration, const Workload& workload,
                           const Accelerator& accelerator) {
  const WorkloadCalibration* found = calibration.of(workload);
  std::string newest;
  if (found == nullptr) return newest;
  const bool is_seen = std::ranges::any_of(found->accelerators, [&](const auto& fit) {
    return fit.accelerator.name == accelerator.name;
  });
  for (const AcceleratorFit& fit : found->accelerators) {
    if (is_seen && fit.accelerator.name != accelerator.name) continue;
    for (const auto& release : fit.steps.releases)
      if (newest.empty() || months_between(newest, release.name).value_or(0) > 0)
        newest = release.name;
  }
  return newest;
}

}  // namespace calibration
}  // namespace tofn
