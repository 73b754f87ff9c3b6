#include <algorithm>

#include "sim/memory/footprint.hpp"

namespace tofn {
inline namespace memory {
namespace {

bool is_in_place(CollectiveKind collective) {
  return collective == CollectiveKind::AllReduce || collective == CollectiveKind::Broadcast;
}

Bytes exchange_buffer(const PassWork& pass) {
  Bytes largest;
  for (const Exchange& exchange : pass.exchanges)
    if (!is_in_place(exchange.collective)) largest = std::max(largest, exchange.payload);
  return largest;
}

/// Bytes that a kernel writes; without arithmetic, half of its traffic is assumed.
Bytes output_of(const Kernel& kernel) {
  if (kernel.k == 0) return kernel.bytes / 2;
  return Bytes{kernel.m * kernel.n * kernel.batch * kernel.written};
}

}  // namespace

Bytes workspace_of(const LayerWork& layer) {
  Bytes computed_again;
  for (const Kernel& kernel : layer.recompute.kernels)
    computed_again += output_of(kernel) * kernel.count;
  Bytes gradient;
  for (const Kernel& kernel : layer.backward.kernels)
    if (!kernel.is_weight_gradient) gradient = std::max(gradient, output_of(kernel));
  return std::max(exchange_buffer(layer.forward), exchange_buffer(layer.backward)) +
         (layer.place == StagePlace::Last ? layer.loss : computed_again + gradient);
}

}  // namespace memory
}  // namespace tofn
