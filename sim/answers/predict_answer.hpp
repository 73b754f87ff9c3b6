#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/calibration/choose_run.hpp"
#include "sim/expense/expense.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/training/benchmark_run.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace answers {

/// A workload on a growing cluster.
struct PredictionStudy {
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  RunSettings settings;
  std::string release_choice;  ///< source of the release, e.g. `request for`
  std::string plan_choice;
  std::string batch_choice;
  double grid_intensity = default_grid_intensity;  ///< g/kWh
  std::vector<RunLimit> limits{};                  ///< the answer states the chance that each holds
  std::vector<RunPoint> points;                    ///< ascending accelerators
};

struct PredictRequest {
  RunRequest run;
  std::vector<int> sizes;  ///< accelerators, ascending
  std::uint64_t seed = 1;  ///< of the draws behind the intervals
  std::string release_choice;
  std::string plan_choice;
  std::vector<RunLimit> limits{};
  bool is_one_step = false;  ///< only the step is requested
};

/// Predicts the workload at every size. InputError if it can be predicted on none of them.
PredictionStudy predict_answer(const PredictRequest&, const Calibration&);

/// Times that speedup and efficiency compare, one for each point with an estimate. They are times
/// of the run if all train to a target or on the same samples, else times of a sample.
std::vector<ScalingPoint> scaling_points(const std::vector<RunPoint>&);

/// Returns the reference among the `compared` points; `scaling` holds the times of these points.
ScalingPoint fitting_reference(const std::vector<RunPoint>&,
                               const std::vector<ScalingPoint>& scaling);
/// Energy of a step per sample, in the phase that trains longest; without evaluation, start-up and
/// lost time.
Joules energy_per_sample(const RunEstimate&);

/// Precisions that a point computes in.
PassPrecision computed_precision(const PredictionStudy&, const RunPoint&);

/// Figures without a source that the run of a point uses, such as `network.nodes_per_leaf 32`.
std::vector<std::string> assumed_figures(const PredictionStudy&, const RunPoint&);

}  // namespace answers
}  // namespace tofn
