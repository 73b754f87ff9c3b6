#include "sim/cluster/accelerator.hpp"

#include <cassert>

namespace tofn {

std::string_view to_text(Precision precision) {
  return precision_names[static_cast<std::size_t>(precision)].first;
}

FlopsPerSecond Accelerator::peak_at(Precision precision) const {
  for (auto index = static_cast<int>(precision); index >= 0; --index)
    if (const auto& rate = peak[static_cast<std::size_t>(index)]) return rate->value;
  for (const auto& rate : peak)
    if (rate) return rate->value;
  assert(false && "an accelerator has at least one peak rate: the reader checks it");
  return {};
}

}  // namespace tofn
