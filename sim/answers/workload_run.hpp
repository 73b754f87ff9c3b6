#pragma once

#include <string>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/answers/run_request.hpp"

namespace tofn {
inline namespace answers {

/// Predicts the run on one number of accelerators. InputError if it cannot run there.
RunPoint point_of(const RunRequest&, const WorkloadRun&, int accelerators);

/// Words on a release without calibration, and on stated CUDA graphs that change nothing.
std::vector<std::string> advice_on(const WorkloadRun&, const RunPoint&);

/// Precisions that a point computes in.
PassPrecision computed_precision(const OpenDescription&, const RunPoint&);

/// Figures without a source that a run of a workload uses, such as `network.nodes_per_leaf 32`.
std::vector<std::string> assumed_figures(const OpenDescription&, const RunPoint&);

}  // namespace answers
}  // namespace tofn
