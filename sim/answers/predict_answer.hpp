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
  std::string release_choice;  ///< who chose the release, e.g. `asked for`
  std::string plan_choice;
  std::string batch_choice;
  double grid_intensity = default_grid_intensity;  ///< g/kWh
  std::vector<RunLimit> limits{};                  ///< that the answer tells the chance of
  std::vector<RunPoint> points;                    ///< ascending accelerators
};

struct PredictRequest {
  RunRequest run;
  std::vector<int> sizes;  ///< accelerators, ascending
  std::uint64_t seed = 1;  ///< of the intervals' draws
  std::string release_choice;
  std::string plan_choice;
  std::vector<RunLimit> limits{};
};

/// The workload at every size. InputError where it can be predicted on none of them.
PredictionStudy predict_answer(const PredictRequest&, const Calibration&);

/// Of a point with an estimate: whether the time to train is known; else, without reference
/// convergence points, the step alone.
bool trains_to_target(const RunPoint&);
/// What speedup and efficiency compare, of each point with an estimate: the time of the run where
/// all train alike, to a target or as many samples; else of a sample. `is_one_step`: nothing is
/// trained, a step of each was asked for.
std::vector<ScalingPoint> scaling_points(const std::vector<RunPoint>&, bool is_one_step = false);

/// The smallest of the sizes that are `compared`; `scaling`: of these points.
ScalingPoint fitting_reference(const std::vector<RunPoint>&,
                               const std::vector<ScalingPoint>& scaling);
/// Of a step, of the phase that trains for longest: no evaluation, start-up or lost time.
Joules energy_per_sample(const RunEstimate&);

/// The precisions that a point computes in.
PassPrecision computed_precision(const PredictionStudy&, const RunPoint&);

/// `network.nodes_per_leaf 32`: figures without a source that the run of a point uses.
std::vector<std::string> assumed_figures(const PredictionStudy&, const RunPoint&);

}  // namespace answers
}  // namespace tofn
