#pragma once

#include "sim/calibration/choose_run.hpp"

namespace tofn {
inline namespace calibration {

/// `choose_run` of a workload whose steps are simulated. A requested plan keeps its tensor-parallel
/// size and its micro-batch. The workload's own plan takes passes of at most its micro-batch that
/// fit the memory; where a replica has fewer samples than that, twice and four times its
/// tensor-parallel size are tried. A batch that is not stated is a known one, or its neighbour of
/// full, half or quarter passes. Of runs that fit, the one predicted to train soonest.
RunDescription choose_simulated_run(const OpenDescription&, int accelerators, const Calibration&);

}  // namespace calibration
}  // namespace tofn
