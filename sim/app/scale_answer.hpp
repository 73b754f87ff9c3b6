#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/app/scale_subject.hpp"
#include "sim/calibration/choose_run.hpp"
#include "sim/report/scale_report.hpp"

namespace tofn {

struct ScaleRequest {
  std::vector<int> sizes;  ///< accelerators, ascending
  std::optional<double> batch;
  std::optional<double> replica_batch;  ///< samples per replica and step
  KneeOptions knees;
  std::uint64_t seed = 1;  ///< of K-means
};

/// Every knee of a series.
std::vector<Knee> all_knees(std::span<const ScalingPoint>, const KneeOptions&, std::uint64_t seed);

/// The job at every size: at the batch asked for, else at the one that trains soonest; beside it
/// with the batch or the samples a replica of its first knee held (strong and weak scaling).
/// InputError where it can run on none of the sizes, or where a batch is needed.
ScaleAnswer scale_answer(const ScaleSubject&, const ScaleRequest&);

/// That of a workload whose runs are predicted.
ScaleAnswer scale_answer(const RunRequest&, const ScaleRequest&, const Calibration&);

/// The same of times alone.
ScaleAnswer scale_answer(std::vector<ScalingPoint> times, const ScaleRequest&);

}  // namespace tofn
