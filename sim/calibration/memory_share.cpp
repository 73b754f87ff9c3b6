#include <algorithm>
#include <cmath>

#include "sim/calibration/fit_workloads.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// True if two accelerators have equal peaks and different memory, so that only memory bandwidth
/// separates them.
bool differ_in_memory_only(const AcceleratorFit& a, const AcceleratorFit& b) {
  if (a.precision != b.precision) return false;
  const double peaks = a.accelerator.peak_at(a.precision) / b.accelerator.peak_at(b.precision);
  const double bandwidths =
      a.accelerator.memory_bandwidth.value / b.accelerator.memory_bandwidth.value;
  return std::abs(peaks - 1) < 0.01 && std::abs(bandwidths - 1) > 0.1;
}

bool have_the_same_splits(const StepFit& a, const StepFit& b) {
  const auto all_in = [](const StepFit& these, const StepFit& those) {
    return std::ranges::all_of(these.splits,
                               [&](const auto& each) { return those.find(each.split) != nullptr; });
  };
  return all_in(a, b) && all_in(b, a);
}

/// The share f that solves time_a/time_b = (1-f) + f*memory_b/memory_a at a release that both ran.
/// Absent if no share solves it, because then more than memory separates them (power, software).
std::optional<double> share_between(const AcceleratorFit& a, const AcceleratorFit& b) {
  const double memory = b.accelerator.memory_bandwidth.value / a.accelerator.memory_bandwidth.value;
  for (const auto& release_a : a.steps.releases)
    for (const auto& release_b : b.steps.releases)
      if (release_a.name == release_b.name && release_a.profile == release_b.profile) {
        const double times = release_b.efficiency / release_a.efficiency;
        const double share = (times - 1) / (memory - 1);
        if (share >= 0 && share <= 1) return share;
      }
  return {};
}

}  // namespace

std::optional<double> measured_memory_share(const WorkloadCalibration& calibration) {
  for (const auto& a : calibration.accelerators)
    for (const auto& b : calibration.accelerators)
      if (differ_in_memory_only(a, b) && have_the_same_splits(a.steps, b.steps))
        if (const auto share = share_between(a, b)) return share;
  return {};
}

}  // namespace calibration
}  // namespace tofn
