#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/calibration/choose_run.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace answers {

/// One number of accelerators: a prediction, or why there is none.
struct PredictedPoint {
  int accelerators = 0;
  std::optional<RunDescription> run;
  std::optional<RunParameters> parameters;
  std::optional<RunPrediction> prediction;
  std::optional<Footprint> memory{};  ///< of the fullest rank, where steps are simulated
  std::optional<Expense> expense;     ///< of the run, or of one step where there is no target
  /// What takes the place of what the machine or its calibration lacks, a sentence each.
  std::vector<std::string> substitutions{};
  std::string skipped_because;
};

/// A workload on a growing cluster.
struct PredictionStudy {
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  RunSettings settings;
  std::string release_choice;  ///< who chose the release, e.g. `asked for`
  std::string plan_choice;
  std::string batch_choice;
  std::vector<PredictedPoint> points;  ///< ascending accelerators
};

struct PredictRequest {
  RunRequest run;
  std::vector<int> sizes;  ///< accelerators, ascending
  ExpenseOptions expenses;
  std::uint64_t seed = 1;  ///< of the intervals' draws
  std::string release_choice;
  std::string plan_choice;
};

/// The workload at every size. InputError where it can be predicted on none of them.
PredictionStudy predict_answer(const PredictRequest&, const Calibration&);

/// Whether the accelerators hold the plan of a point; of measured runs that is not known, and true.
bool fits(const PredictionStudy&, const PredictedPoint&);
bool all_fit(const PredictionStudy&);

/// Whether the time to train is known; else, without reference convergence points, the step alone.
bool trains_to_target(const PredictedPoint&);
/// Time to train of a point, or the time of one sample where there is no target: what speedup and
/// efficiency compare.
ScalingPoint scaling_point(const PredictedPoint&);
/// Samples per second of the whole job while it trains.
double throughput(const PredictedPoint&);

/// An amount with its 90 % interval.
struct Ranged {
  double value = 0;
  Interval interval;
};

/// Of a point with a target; both move with its time to train, energy with its power too.
Ranged energy_kwh(const PredictedPoint&);
/// Needs a price.
Ranged cost_usd(const PredictedPoint&);
/// Energy over samples of the run, or of a step where there is no target.
Joules energy_per_sample(const PredictedPoint&);

/// The precisions that a point computes in.
PassPrecision computed_precision(const PredictionStudy&, const PredictedPoint&);

/// `network.nodes_per_leaf 32`: figures without a source that the run of a point uses.
std::vector<std::string> assumed_figures(const PredictionStudy&, const PredictedPoint&);

}  // namespace answers
}  // namespace tofn
