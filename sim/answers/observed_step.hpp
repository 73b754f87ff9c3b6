#pragma once

#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace answers {

/// The stack after a step of a job was measured: its figures moved, and of that very job the answer
/// is the measurement. InputError where the job cannot have run so: its plan does not fit the
/// memory, or the time is shorter than the peak of its accelerators allows.
KernelProfile with_observed(const KernelProfile&, const StepCase& measured);

}  // namespace answers
}  // namespace tofn
