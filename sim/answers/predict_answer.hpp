#pragma once

#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/answers/run_request.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace answers {

/// A run on each of several numbers of accelerators.
struct PredictAnswer {
  const RunRequest& request;
  std::vector<RunPoint> points;  ///< in the order of the sizes
};

/// Predicts the run on one number of accelerators. InputError if it cannot run there.
RunPoint run_point(const RunRequest&, int accelerators);

/// Predicts the run at every size, in ascending order, with words on what would suit it better.
/// InputError if no size can be answered.
PredictAnswer predict_answer(const RunRequest&, const std::vector<int>& sizes);

/// Times that speedup and efficiency compare, one for each point with an estimate: of the runs,
/// whose samples may differ if each trains to the same loss, else of a sample.
std::vector<ScalingPoint> scaling_points(const std::vector<RunPoint>&);

/// Returns the reference among the `compared` points; `scaling` holds the times of these points.
ScalingPoint fitting_reference(const std::vector<RunPoint>&,
                               const std::vector<ScalingPoint>& scaling);
/// Energy of a step per sample, in the phase that trains longest; without evaluation, start-up and
/// lost time.
Joules energy_per_sample(const RunEstimate&);

}  // namespace answers
}  // namespace tofn
