#pragma once

#include <vector>

#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// Steps of the user's own machine, all of one workload, accelerator and release, followed by the
/// published observations. The first of equal releases counts. If the user's batches determine the
/// overhead, no published step of the workload and accelerator is used for it. Terms that they do
/// not determine are still fitted to published runs.
std::vector<Observation> with_own_steps(std::vector<Observation> published,
                                        const std::vector<Observation>& own);

}  // namespace calibration
}  // namespace tofn
