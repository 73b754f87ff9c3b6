#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/calibration/step_fit.hpp"
#include "sim/calibration/teaching_steps.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// One observed evaluation with the predicted time of its forward passes.
struct EvaluationEquation {
  double passes = 0;
  double forward_seconds = 0;  ///< of one pass, by the step model
  double observed_seconds = 0;
};

/// Fits observed = passes x max(host, per_forward x forward) by least relative deviations. `host`
/// stays 0 unless it explains more than one more parameter would by chance (Akaike's criterion).
EvaluationCost fit_evaluation(std::span<const EvaluationEquation>);

/// A figure observed on one accelerator with one software release.
struct ReleaseFigure {
  std::string accelerator;
  std::string release;
  double value = 0;
  double spread = 0;
  std::string vendor{};          ///< of the accelerator
  std::vector<double> values{};  ///< of each system; `value` is their median
};

/// One accelerator's fitted step of one workload.
struct AcceleratorFit {
  Accelerator accelerator;
  Precision precision = Precision::Bf16;
  std::optional<CudaGraphs> graphs;
  StepFit steps;
};

/// Parameters fitted to the observations of one workload.
struct WorkloadCalibration {
  const Workload* workload = nullptr;
  std::vector<AcceleratorFit> accelerators;  ///< most observations first
  TeachingSteps teaching_steps{{}};          ///< empty if steps are fitted
  bool overhead_is_per_operator = false;     ///< no batches determine it, so it is that of captured
                                             ///< iterations
  double memory_share = 0;                   ///< share of arithmetic time bound by memory bandwidth
  bool memory_share_was_measured = false;
  EvaluationCost evaluation;
  std::vector<ReleaseFigure> evaluation_factors;
  std::vector<ReleaseFigure> fixed;  ///< in seconds, or in steps
  bool fixed_is_in_steps = false;
  std::vector<ReferencePoint> convergence;
  ConvergenceLaw convergence_law{};  ///< fitted to `convergence` if there are points
  /// Samples that systems of a simulated workload needed over those of the reference points, which
  /// ran in bf16 although submissions run in fewer bits; 1 if too few systems report them.
  double samples_factor = 1;
};

/// Time per operator of a fully captured iteration that does not shrink with the batch, from the
/// overheads of all workloads under whole-iteration graphs.
struct OperatorOverhead {
  Seconds each;
  double spread = 0;  ///< relative, between workloads
  int workloads = 0;
};

/// Spread between equal servers: the median, over accelerators and releases with several systems,
/// of the relative spread of their steps. A job waits for its slowest node.
struct ServerSpread {
  double relative = 0;
  int groups = 0;
};

/// Parameters of runs, fitted to observed runs. Observations should be from one scale-up domain, so
/// that predictions of larger systems are held out.
class Calibration {
 public:
  explicit Calibration(const std::vector<Observation>&);

  /// Parameters of a run. InputError if no observation is of the run's workload.
  RunParameters parameters_for(const RunDescription&) const;
  /// The compute part of the run's parameters.
  ComputeProfile profile_for(const RunDescription&) const;

  const std::vector<WorkloadCalibration>& workloads() const { return workloads_; }
  /// Fitted parameters of a workload; null if it has none.
  const WorkloadCalibration* of(const Workload&) const;
  const std::optional<OperatorOverhead>& operator_overhead() const { return operator_overhead_; }
  const ServerSpread& server_spread() const { return server_spread_; }

 private:
  const WorkloadCalibration* find(const Workload&) const;
  const WorkloadCalibration& calibrated(const Workload&) const;
  ComputeProfile simulated_profile_for(const RunDescription&) const;
  static SamplesToTarget samples_for(const RunDescription&, const WorkloadCalibration&);
  void set_overhead(ComputeProfile&, const AcceleratorFit&, const RunDescription&) const;

  std::vector<WorkloadCalibration> workloads_;
  std::optional<OperatorOverhead> operator_overhead_;
  ServerSpread server_spread_;
};

/// Parameters without any measurement: 40 % of peak, no overhead, evaluations of only forward
/// passes, no fixed time. They are the baseline of a tool without calibration.
RunParameters assumed_parameters(const RunDescription&);

/// Fills in settings that rows do not state: the precision most common for the workload and
/// accelerator, and FP8 attention as most common for them and the split.
std::vector<Observation> with_default_settings(const std::vector<Observation>&);

}  // namespace calibration
}  // namespace tofn
