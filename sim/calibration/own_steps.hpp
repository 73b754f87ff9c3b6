#pragma once

#include <vector>

#include "sim/training/observation.hpp"

namespace tofn {
inline namespace calibration {

/// Published observations behind steps of the user's own machine, all of one workload, accelerator
/// and release. Among equal releases the first counts; where the own batches tell the overhead, no
/// published step of the workload and accelerator has a say in it. What they do not tell stays with
/// the published runs.
std::vector<Observation> with_own_steps(std::vector<Observation> published,
                                        const std::vector<Observation>& own);

}  // namespace calibration
}  // namespace tofn
