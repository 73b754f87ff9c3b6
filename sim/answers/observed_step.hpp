#pragma once

#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace answers {

/// Returns the stack updated by a measured step: its figures change, and for that very job the
/// prediction is the measurement. InputError if the job cannot have run so, because its plan does
/// not fit the memory or its time would need more than the accelerators' peak.
KernelProfile with_observed(const KernelProfile&, const StepCase& measured);

}  // namespace answers
}  // namespace tofn
