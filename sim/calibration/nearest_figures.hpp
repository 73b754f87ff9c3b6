#pragma once

#include <vector>

#include "sim/calibration/calibration.hpp"

// Selects the observed figure for a run: the nearest one by accelerator and release.

namespace tofn {
inline namespace calibration {

enum class Decides { Accelerator, Release };

/// The observed figure nearest to a run, by accelerator first or by release first; null if there is
/// none.
const ReleaseFigure* nearest(const std::vector<ReleaseFigure>&, const RunDescription&,
                             Decides first);

/// Basis of a figure for a run: figures observed in one domain are extrapolated to more.
Basis figure_basis(const ReleaseFigure&, const RunDescription&);

/// The fit of the accelerator itself, else of one of the same architecture, else of one of the same
/// vendor; the latter two only if enough systems were observed, not just one maker's. Of equal ones
/// the first. `fits` must not be empty.
const AcceleratorFit& nearest_fit(const std::vector<AcceleratorFit>&, const Accelerator&);

const StepFit::Release& nearest_release(const StepFit&, const std::string& release);

}  // namespace calibration
}  // namespace tofn
