#pragma once

#include <string>

#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// Text such as `a step of 128 samples of llama3-8b on 64 dgx-h100 in 3.53 s (dp 64, ...)`.
std::string job_words(const SimulatedStep& expected, Seconds measured);

/// InputError if the job cannot have run so, because its time would need more than the
/// accelerators' peak, or its plan does not fit the memory. The length of samples is named as a
/// likely reason if nobody stated it.
void check_ran(const SimulatedStep& expected, Seconds measured, bool does_fit,
               bool length_is_assumed = false);

/// Returns the stack updated by a measured step: its figures change, and for that very job the
/// prediction is the measurement. InputError as of `check_ran`.
KernelProfile with_observed(const KernelProfile&, const StepCase& measured);

}  // namespace answers
}  // namespace tofn
