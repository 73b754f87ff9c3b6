#pragma once

#include <cstdint>

#include "sim/answers/scale_subject.hpp"
#include "sim/calibration/choose_run.hpp"

namespace tofn {

/// A workload whose steps and runs are predicted from measured ones, as `tofn predict` does.
/// `split`: how the step of a batch that need not split evenly is split.
ScaleSubject predicted_subject(const RunRequest&, const Calibration&, const Plan& split,
                               std::uint64_t seed);

/// The plan that is chosen on so many accelerators.
Plan chosen_plan(const RunRequest&, const Calibration&, int accelerators);

}  // namespace tofn
