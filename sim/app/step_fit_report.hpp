#pragma once

#include <span>
#include <string>

#include "sim/calibration/calibration.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/report/records.hpp"
#include "sim/training/observation.hpp"

namespace tofn {

/// A step profile with its rows as observations, and the calibration that they joined.
struct StepFitReport {
  const StepProfile* profile = nullptr;
  std::span<const Observation> own;
  const Calibration* calibration = nullptr;
};

/// Overhead, efficiency, how far off each row is, and which batch to run next.
std::string step_fit_text(const StepFitReport&);

/// One row per row of the profile.
Records step_fit_records(const StepFitReport&);

}  // namespace tofn
