#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/calibration/step_fit.hpp"
#include "sim/calibration/teaching_steps.hpp"
#include "sim/training/observation.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// A figure observed on one accelerator with one software release.
struct ReleaseFigure {
  std::string accelerator;
  std::string release;
  double value = 0;
  double spread = 0;
};

/// One accelerator's fitted step of one workload.
struct AcceleratorFit {
  Accelerator accelerator;
  Precision precision = Precision::Bf16;
  std::optional<CudaGraphs> graphs;
  StepFit steps;
};

/// What the observations of one workload say.
struct WorkloadCalibration {
  const Workload* workload = nullptr;
  std::vector<AcceleratorFit> accelerators;  ///< most observations first
  TeachingSteps teaching_steps{{}};          ///< none where steps are fitted
  bool overhead_is_per_operator = false;     ///< no batch told it: what captured iterations share
  double memory_share = 0;                   ///< of arithmetic time that memory bandwidth bounds
  bool memory_share_was_measured = false;
  EvaluationCost evaluation;
  std::vector<ReleaseFigure> evaluation_factors;
  std::vector<ReleaseFigure> fixed;  ///< in seconds, or in steps
  bool fixed_is_in_steps = false;
  std::vector<ReferencePoint> convergence;
  ConvergenceLaw convergence_law{};  ///< through these, where there are any
  /// Samples that systems of a simulated workload needed over those of the reference points, which
  /// ran in bf16 where submissions run in fewer bits; 1: too few say.
  double samples_factor = 1;
};

/// Time per operator of a fully captured iteration that does not shrink with the batch: what the
/// overheads of workloads under whole-iteration graphs have in common.
struct OperatorOverhead {
  Seconds each;
  double spread = 0;  ///< relative, between workloads
  int workloads = 0;
};

/// How far equal servers lie apart: the median, over accelerators and releases with several
/// systems, of the relative spread of their steps. A job waits for its slowest node.
struct ServerSpread {
  double relative = 0;
  int groups = 0;
};

/// Parameters of runs, learnt from observed runs. Observations should come from one scale-up
/// domain: whoever predicts larger systems must not have looked at them.
class Calibration {
 public:
  explicit Calibration(const std::vector<Observation>&);

  /// InputError where nothing observed says anything of the run's workload.
  RunParameters parameters_for(const RunDescription&) const;
  /// The compute part of them alone.
  ComputeProfile profile_for(const RunDescription&) const;

  const std::vector<WorkloadCalibration>& workloads() const { return workloads_; }
  /// What was learnt of a workload's steps; null of none.
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

/// Parameters that nothing measured: 40 % of peak, no overhead, evaluations of forward passes
/// alone, no fixed time. What a tool without calibration has to say.
RunParameters assumed_parameters(const RunDescription&);

}  // namespace calibration
}  // namespace tofn
