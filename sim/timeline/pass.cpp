#include "sim/timeline/pass.hpp"

#include <algorithm>

namespace tofn {
inline namespace timeline {

LayerPass part_of(const LayerTimes& layer, PassKind kind, bool split) {
  if (kind == PassKind::Forward) return layer.forward;
  LayerPass pass = layer.backward;
  if (!split) return pass;
  if (kind == PassKind::WeightGradients) {
    LayerPass gradients;
    gradients.compute = pass.weight_gradients;
    gradients.host = pass.host_of_weight_gradients;
    gradients.reduce = pass.reduce;
    return gradients;
  }
  pass.compute -= pass.weight_gradients;
  pass.host -= pass.host_of_weight_gradients;
  pass.reduce = Seconds{};
  return pass;
}

/// Work of one pass of a pair. If both passes have compute C and exchanges T, and this one has
/// compute c, it gets T c / C of the exchanges. Example: F = 1, B = 2 and exchanges of 0.6 each
/// way: 0.4 overlap the forward pass, 0.8 the backward one, and the pair takes 3.
LayerPass paired_part_of(const LayerTimes& layer, PassKind kind, bool split) {
  LayerPass pass = part_of(layer, kind, split);
  const Seconds both = layer.forward.compute + layer.backward.compute;
  const Seconds exchanges =
      layer.forward.exposed[expert_exchange] + layer.backward.exposed[expert_exchange];
  if (both <= Seconds{} || exchanges <= Seconds{}) return pass;
  pass.exposed[expert_exchange] = Seconds{};
  pass.overlapped[expert_exchange] += (pass.compute / both) * exchanges;
  // Attention hides these exchanges too, unless it already hides those of a ring.
  if (pass.overlapped[ring_exchange] <= Seconds{}) pass.attention = Seconds{};
  return pass;
}

Seconds sum(const std::array<Seconds, 3>& times) { return times[0] + times[1] + times[2]; }

Seconds sum(const PartTimes& parts) {
  Seconds total;
  for (const Seconds time : parts) total += time;
  return total;
}

std::array<Phase, 2> phases_of(const LayerPass& pass, const Slowdown& slowdown) {
  const Seconds ring = pass.overlapped[ring_exchange];
  return {{{.compute = pass.attention, .exchange = ring, .slowdown = slowdown.context},
           {.compute = pass.compute - pass.attention,
            .exchange = sum(pass.overlapped) - ring,
            .slowdown = slowdown.tensor}}};
}

Seconds compute_length(const Phase& phase, Seconds data, double data_slowdown) {
  if (phase.compute <= Seconds{}) return {};
  const bool data_ends_first = data < phase.exchange;
  const Seconds first = std::min(data, phase.exchange);
  const Seconds second = std::max(data, phase.exchange);
  const double left_by_both = 1 - std::max(phase.slowdown, data_slowdown);
  const double left_by_one = 1 - (data_ends_first ? phase.slowdown : data_slowdown);
  const Seconds by_first = left_by_both * first;
  if (by_first >= phase.compute) return phase.compute / left_by_both;
  const Seconds by_second = by_first + left_by_one * (second - first);
  if (by_second >= phase.compute) return first + (phase.compute - by_first) / left_by_one;
  return second + (phase.compute - by_second);
}

Seconds launch_beyond(const LayerPass& pass, Seconds device) {
  return std::max(pass.launch, pass.host - device);
}

Seconds layer_length(const LayerPass& pass, Seconds data, const Slowdown& slowdown) {
  Seconds device;
  if (data <= Seconds{} && sum(pass.overlapped) <= Seconds{}) {  // nothing is overlapped
    device = pass.compute;
  } else {
    for (const Phase& phase : phases_of(pass, slowdown)) {
      const Seconds left = std::max(Seconds{}, data - device);
      device += std::max(compute_length(phase, left, slowdown.data), phase.exchange);
    }
  }
  device += sum(pass.exposed);
  return device + launch_beyond(pass, device);
}

void book_overlapped(PartTimes& parts, const std::array<Seconds, 3>& overlapped, const Tails& tails,
                     const Slowdown& slowdown) {
  Tails left = tails;
  for (std::size_t i = exchange_parts.size(); i-- > 0;) {
    const bool is_ring = i == ring_exchange;
    Seconds& tail = left[is_ring ? 0 : 1];
    const Seconds exposed = std::min(tail, overlapped[i]);
    tail -= exposed;
    part(parts, exchange_parts[i]) +=
        exposed + (is_ring ? slowdown.context : slowdown.tensor) * (overlapped[i] - exposed);
  }
}

PassTimes undisturbed(const ChunkTimes& chunk, PassKind kind, bool split, const Slowdown& slowdown,
                      bool paired) {
  PassTimes times;
  for (const LayerTimes& layer : chunk.layers()) {
    const LayerPass pass =
        paired ? paired_part_of(layer, kind, split) : part_of(layer, kind, split);
    Tails tails;
    Seconds device = sum(pass.exposed);
    for (std::size_t i = 0; const Phase& phase : phases_of(pass, slowdown)) {
      const Seconds computed = compute_length(phase, Seconds{}, 0);
      tails[i++] = std::max(Seconds{}, phase.exchange - computed);
      device += std::max(computed, phase.exchange);
    }
    const Seconds launch = launch_beyond(pass, device);
    PartTimes parts{};
    part(parts, StepPart::Compute) = pass.compute;
    part(parts, StepPart::Launch) = launch;
    book_overlapped(parts, pass.overlapped, tails, slowdown);
    for (std::size_t i = 0; i < exchange_parts.size(); ++i)
      part(parts, exchange_parts[i]) += pass.exposed[i];
    for (std::size_t i = 0; i < parts.size(); ++i) times.parts[i] += layer.count * parts[i];
    times.length += layer.count * (device + launch);
    times.communication += layer.count * (sum(pass.exposed) + sum(pass.overlapped));
    times.gather += layer.count * pass.gather;
    times.reduce += layer.count * pass.reduce;
  }
  return times;
}

}  // namespace timeline
}  // namespace tofn
