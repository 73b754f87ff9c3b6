#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "sim/calibration/calibration.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace evidence {

/// The rows of a step profile as observations of its workload on its cluster. InputError, which
/// names `file` unless that is empty, if either is unknown or a row's plan fits neither.
std::vector<Observation> own_observations(const std::filesystem::path& file, const StepProfile&,
                                          Library&);

/// InputError at a step whose use of its chips is far above or below that of published steps of its
/// workload: it is of another model, or of other sizes than stated.
void check_utilisation(std::span<const Observation> own, std::span<const Observation> published);

/// InputError if the user's own steps imply an efficiency above 1, because no chip is faster than
/// its peak.
void check_efficiency(const Calibration&);

/// True if the user's own steps calibrate runs of the workload on the accelerator.
bool own_steps_count(const Calibration&, const Workload&, const Accelerator&);

/// A step profile with its rows as observations, and the calibration that includes them.
struct OwnFit {
  const StepProfile* profile = nullptr;
  std::span<const Observation> own;
  const Calibration* calibration = nullptr;
};

/// Calibration of the profile's workload, and its fit for the profile's accelerator.
const WorkloadCalibration& workload_of(const OwnFit&);
const AcceleratorFit& accelerator_of(const OwnFit&);
/// True if the profile's own batches determine its overhead; otherwise it is borrowed.
bool tells_overhead(const OwnFit&);
Seconds fitted_step(const RunDescription&, const ComputeProfile&);

}  // namespace evidence
}  // namespace tofn
