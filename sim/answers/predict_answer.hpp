#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/job_answer.hpp"
#include "sim/answers/run_point.hpp"
#include "sim/calibration/choose_run.hpp"
#include "sim/expense/expense.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace answers {

/// A run of a workload on each of several numbers of accelerators.
struct WorkloadRequest {
  RunRequest run;
  std::vector<int> sizes;             ///< accelerators, ascending
  std::uint64_t seed = default_seed;  ///< of the samples that ranges are made of
  std::string release_choice{};       ///< source of the release, e.g. `request for`
  std::string plan_choice{};
  std::vector<RunLimit> limits{};  ///< the answer states the chance that each holds
  bool is_one_step = false;        ///< only the step is requested

  std::string batch_choice() const;
};

/// Question that a run is asked, whether its steps follow from dimensions or were measured. The
/// request must outlive it.
struct RunQuestion {
  std::string workload{}, model{}, run{};  ///< `run`: its name on screens
  const Cluster* cluster = nullptr;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
  std::vector<RunLimit> limits{};
  bool batch_is_assumed = false;
  std::string release{};
  const JobRequest* job = nullptr;  ///< one of `job` and `benchmark` is set
  const WorkloadRequest* benchmark = nullptr;
};
RunQuestion question_of(const JobRequest&);
RunQuestion question_of(const WorkloadRequest&);
/// Stack of the steps that it asks for; one without figures if their kernel times were measured.
const KernelProfile& stack_of(const RunQuestion&);

/// A run on each of several numbers of accelerators.
struct PredictAnswer {
  RunQuestion question;
  std::vector<RunPoint> points;  ///< in the order of the sizes
};

/// Predicts the run at every size. InputError if no size can be answered.
PredictAnswer predict_answer(const JobRequest&);
PredictAnswer predict_answer(const WorkloadRequest&, const Calibration&);

/// Times that speedup and efficiency compare, one for each point with an estimate: of the runs,
/// whose samples may differ if each trains to the same loss, else of a sample.
std::vector<ScalingPoint> scaling_points(const std::vector<RunPoint>&);

/// Returns the reference among the `compared` points; `scaling` holds the times of these points.
ScalingPoint fitting_reference(const std::vector<RunPoint>&,
                               const std::vector<ScalingPoint>& scaling);
/// Energy of a step per sample, in the phase that trains longest; without evaluation, start-up and
/// lost time.
Joules energy_per_sample(const RunEstimate&);

/// Precisions that a point computes in.
PassPrecision computed_precision(const RunRequest&, const RunPoint&);

/// Figures without a source that a run of a workload uses, such as `network.nodes_per_leaf 32`.
std::vector<std::string> assumed_figures(const RunRequest&, const RunPoint&);

}  // namespace answers
}  // namespace tofn
