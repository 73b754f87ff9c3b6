#pragma once

#include <string>

#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace answers {

/// Words on the overrun in the intervals of whole runs, and on how many published runs such
/// intervals contain; they follow `90 % of`.
std::string overrun_words(const Overrun&);
/// A shorter form in one sentence, which follows `ranges`.
std::string overrun_in_short(const Overrun&);

}  // namespace answers
}  // namespace tofn
