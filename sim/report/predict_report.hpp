#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/expense/expense.hpp"
#include "sim/report/records.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/training/run.hpp"

namespace tofn {

/// One number of accelerators: a prediction, or why there is none.
struct PredictedPoint {
  int accelerators = 0;
  std::optional<RunDescription> run;
  std::optional<RunParameters> parameters;
  std::optional<RunPrediction> prediction;
  std::optional<Expense> expense;  ///< of the run, or of one step where there is no target
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

/// Whether the time to train is known; else, without reference convergence points, the step alone.
bool trains_to_target(const PredictedPoint&);
/// Time to train of a point, or the time of one sample where there is no target: what speedup and
/// efficiency compare.
ScalingPoint scaling_point(const PredictedPoint&);
/// Samples per second of the whole job while it trains.
double throughput(const PredictedPoint&);

/// The breakdown of the only point, or a table of all.
std::string predict_text(const PredictionStudy&);
std::string predict_breakdown_text(const PredictionStudy&, const PredictedPoint&);
std::string predict_table_text(const PredictionStudy&);
/// Both for workloads without a target: step time, throughput and efficiency.
std::string predict_steps_text(const PredictionStudy&);
/// The terms of a step with their intervals and bases.
std::string step_table_text(const RunPrediction&);
/// `global batch 4608 = 64 replicas x 1 accumulation step x 72 samples`
std::string batch_text(const Plan&);

/// What the figures rest on: calibration, plan, batch, settings, cluster and what was assumed.
std::string predict_notes(const PredictionStudy&);

/// Every term of every point.
Records predict_records(const PredictionStudy&);

/// `network.nodes_per_leaf 32`: figures without a source that the run of a point uses.
std::vector<std::string> assumed_figures(const PredictionStudy&, const PredictedPoint&);

/// `13.1 min`, or hours above 120 min.
std::string time_text(double seconds);
/// `12.4-14.0` in the unit that `time_text(scale)` uses.
std::string time_range_text(const Interval& seconds, double scale);
/// `2.560M` or `3179`.
std::string samples_text(double samples);

}  // namespace tofn
