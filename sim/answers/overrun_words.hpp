#pragma once

#include <string>

#include "sim/kernel/kernel_profile.hpp"
#include "sim/training/job_draws.hpp"

namespace tofn {
inline namespace answers {

/// What the intervals of whole runs are drawn with, and how many published runs such intervals
/// hold: after `90 % of`.
std::string overrun_words(const Overrun&);
/// Of runs with the steps of a stack, which may be the user's own measured ones.
Overrun overrun_with(const Overrun&, const KernelProfile&);

}  // namespace answers
}  // namespace tofn
