#pragma once

#include <vector>

#include "sim/calibration/calibration.hpp"

// Which of the observed figures serves a run: the nearest one by accelerator and release.

namespace tofn {
inline namespace calibration {

enum class Decides { Accelerator, Release };

/// The figure observed nearest to a run: by accelerator first, or by release first; null of none.
const ReleaseFigure* nearest(const std::vector<ReleaseFigure>&, const RunDescription&,
                             Decides first);

/// What was observed in one domain is extrapolated to more.
Basis figure_basis(const ReleaseFigure&, const RunDescription&);

/// Its own, else that of an accelerator of the same architecture, else of one of its vendor's,
/// either told by enough systems not to be one maker's; of several, or of none, the first. There
/// must be one.
const AcceleratorFit& nearest_fit(const std::vector<AcceleratorFit>&, const Accelerator&);

const StepFit::Release& nearest_release(const StepFit&, const std::string& release);

}  // namespace calibration
}  // namespace tofn
