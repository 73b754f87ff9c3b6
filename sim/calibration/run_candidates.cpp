#include "sim/calibration/run_candidates.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/core/words.hpp"

namespace tofn {
inline namespace calibration {

std::vector<double> known_batches(const Calibration& calibration, const Workload& workload) {
  const WorkloadCalibration* found = calibration.of(workload);
  std::vector<double> batches;
  for (const auto& point : found != nullptr ? found->convergence : workload.convergence)
    batches.push_back(point.batch);
  return batches;
}

std::vector<double> even_batches(double batch, double unit, const std::vector<double>& known) {
  const double below = std::floor(batch / unit) * unit;
  if (below == batch) return {batch};
  std::vector<double> even;
  for (const double each : {below, below + unit})
    if (known.front() <= each && each <= known.back()) even.push_back(each);
  return even;
}

bool is_whole(double value) { return value >= 1 && value == std::floor(value); }

void refuse_batch(double batch, int replicas, int accumulation) {
  const double unit = 1.0 * replicas * accumulation;
  const double below = std::floor(batch / unit) * unit;
  throw InputError(fmt::format("batch {} does not split evenly over {} x {}; {} and {} do", batch,
                               counted(replicas, "replica"),
                               counted(accumulation, "accumulation step"), below, below + unit));
}

InputError no_known_batch(const Workload& workload) {
  return InputError(
      fmt::format("workload {} has no reference convergence points: choose the batch "
                  "with --batch, or with --replica-batch (samples per replica)",
                  workload.name));
}

double expected_seconds(const Run& run) {
  const double seconds = run.expected().total().time.base();
  return run.has_target() ? seconds : seconds / run.benchmark->description.plan.global_batch();
}

}  // namespace calibration
}  // namespace tofn
