#pragma once

#include <string>

#include "sim/training/job_draws.hpp"

namespace tofn {
inline namespace answers {

/// What the intervals of whole runs are drawn with, and how many published runs such intervals
/// hold: after `90 % of`.
std::string overrun_words(const Overrun&);
/// The same in one sentence, after `ranges`.
std::string overrun_in_short(const Overrun&);

}  // namespace answers
}  // namespace tofn
