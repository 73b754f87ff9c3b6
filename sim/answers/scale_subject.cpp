#include "sim/answers/scale_subject.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"

namespace tofn {
inline namespace answers {

void require_fitting(const RunEstimate& estimate, const Accelerator& accelerator,
                     const std::string& way_out) {
  if (!estimate.memory || fits(*estimate.memory, accelerator)) return;
  const double there = accelerator.memory.value.base();
  throw InputError(fmt::format("{:.1f} GB of {:.0f} are missing{}",
                               (estimate.memory->total().base() - there) / 1e9, there / 1e9,
                               way_out));
}

}  // namespace answers
}  // namespace tofn
