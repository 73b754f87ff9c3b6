#pragma once

#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/answers/run_request.hpp"

namespace tofn {
inline namespace answers {

/// Returns the phase that a step of `batch` samples on `accelerators` belongs to: one with that
/// batch, else one that can use so many accelerators; of several, the one that trains most.
/// InputError if every phase takes fewer accelerators.
const RunPhase& measured_phase(const StatedRun&, int accelerators, double batch);

/// Predicts the run on one number of accelerators. If no batch is stated, takes the one that
/// reaches the same loss soonest. InputError, with the name of the phase, if it cannot run there.
RunPoint point_of(const RunRequest&, const ModelRun&, int accelerators);

/// Words on a batch near the stated one that splits most evenly, if it takes much less time per
/// sample.
std::vector<std::string> advice_on(const ModelRun&, const RunPoint&);

/// Estimates each phase by itself; empty if the size was skipped.
std::vector<RunEstimate> phase_estimates(const RunPoint&);

}  // namespace answers
}  // namespace tofn
