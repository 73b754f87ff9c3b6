#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/calibration/calibration.hpp"

namespace tofn {
inline namespace calibration {

/// True if both chips have the same vendor and a known architecture, so that software reaches the
/// same efficiency on both.
inline bool share_architecture(const Accelerator& a, const Accelerator& b) {
  return a.architecture != Architecture::Other && a.vendor == b.vendor &&
         a.architecture == b.architecture;
}

/// Observations whose step calibrates, by accelerator, most observations first. Steps that include
/// in-line evaluation (none was logged) count only if no cleaner one is known.
std::vector<std::vector<const Observation*>> steps_by_accelerator(
    std::span<const Observation* const> seen);

/// False if in-line evaluation was not logged, so that the step and the start-up include it.
bool step_is_clean(const Observation&);

/// Fits every accelerator of one workload whose batches determine its own overhead.
std::vector<AcceleratorFit> fit_determined(
    std::span<const std::vector<const Observation*>> by_accelerator);

/// Spread between equal servers.
ServerSpread measured_server_spread(std::span<const WorkloadCalibration>);

/// Overhead per operator that the workloads under whole-iteration graphs share.
std::optional<OperatorOverhead> shared_operator_overhead(std::span<const WorkloadCalibration>);

/// Adds the accelerators that `fit_determined` left out, with the overhead of the workload's
/// best-known accelerator, else with that of its operators.
void fit_undetermined(WorkloadCalibration&,
                      std::span<const std::vector<const Observation*>> by_accelerator,
                      const std::optional<OperatorOverhead>&);

/// Share of arithmetic time bound by memory bandwidth, from two accelerators with the same peak and
/// different memory (H100 and H200) at one release and split; absent without such a pair.
std::optional<double> measured_memory_share(const WorkloadCalibration&);

/// Reference points, plus a point for each batch without one that `least_systems` or more observed
/// systems share.
std::vector<ReferencePoint> convergence_points(const Workload&,
                                               std::span<const Observation* const>);

/// A value of one observation, of which release_figures takes medians per accelerator and release.
struct LabelledValue {
  const Observation* seen = nullptr;
  double value = 0;
};
std::vector<ReleaseFigure> release_figures(std::span<const LabelledValue>, bool relative_spread);

}  // namespace calibration
}  // namespace tofn
