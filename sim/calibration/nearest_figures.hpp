#pragma once

#include <vector>

#include "sim/calibration/calibration.hpp"

// Selects the observed figure for a run: the nearest one by accelerator and release.

namespace tofn {
inline namespace calibration {

/// The observed figure nearest to a run, by accelerator first; null if there is none.
const ReleaseFigure* nearest(const std::vector<ReleaseFigure>&, const RunDescription&);

/// Median over several systems, and the nearest of the figures that they belong to.
struct TypicalFigure {
  const ReleaseFigure* nearest = nullptr;
  double value = 0;
  double spread = 0;  ///< absolute
};

/// The median over the systems of the nearest figures, by release first, of the vendor of the
/// nearest one: as many figures as it takes to have three systems, since one may take a hundred
/// times as long as another and a median of three ignores it. `figures` must not be empty.
TypicalFigure typical_figure(const std::vector<ReleaseFigure>& figures, const RunDescription&);

/// Basis of a figure for a run: figures observed in one domain are extrapolated to more.
Basis figure_basis(const ReleaseFigure&, const RunDescription&);

/// The fit of the accelerator itself, else of one of the same architecture, else of one of the same
/// vendor; the latter two only if enough systems were observed, not just one maker's. Of equal ones
/// the first. `fits` must not be empty.
const AcceleratorFit& nearest_fit(const std::vector<AcceleratorFit>&, const Accelerator&);

const StepFit::Release& nearest_release(const StepFit&, const std::string& release);

}  // namespace calibration
}  // namespace tofn
