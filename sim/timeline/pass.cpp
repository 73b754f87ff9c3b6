#include "sim/timeline/pass.hpp"

#include <algorithm>

namespace tofn {

LayerPass part_of(const LayerTimes& layer, PassKind kind, bool split) {
  if (kind == PassKind::Forward) return layer.forward;
  LayerPass pass = layer.backward;
  if (!split) return pass;
  if (kind == PassKind::WeightGradients) {
    LayerPass gradients;
    gradients.compute = pass.weight_gradients;
    gradients.reduce = pass.reduce;
    return gradients;
  }
  pass.compute -= pass.weight_gradients;
  pass.reduce = Seconds{};
  return pass;
}

Seconds sum(const std::array<Seconds, 3>& times) { return times[0] + times[1] + times[2]; }

Seconds sum(const PartTimes& parts) {
  Seconds total;
  for (const Seconds time : parts) total += time;
  return total;
}

Overlap overlap(Seconds compute, Seconds beside, double slowdown) {
  if ((1 - slowdown) * beside <= compute) return {compute + slowdown * beside, Seconds{}};
  return {beside, beside - compute / (1 - slowdown)};
}

void book_beside(PartTimes& parts, const std::array<Seconds, 3>& beside, Seconds tail,
                 double slowdown) {
  for (std::size_t i = exchange_parts.size(); i-- > 0;) {
    const Seconds exposed = std::min(tail, beside[i]);
    tail -= exposed;
    part(parts, exchange_parts[i]) += exposed + slowdown * (beside[i] - exposed);
  }
}

PassTimes undisturbed(const ChunkTimes& chunk, PassKind kind, bool split, double slowdown) {
  PassTimes times;
  for (const LayerTimes& layer : chunk.layers) {
    const LayerPass pass = part_of(layer, kind, split);
    const Overlap both = overlap(pass.compute, sum(pass.beside), slowdown);
    PartTimes parts{};
    part(parts, StepPart::Compute) = pass.compute;
    part(parts, StepPart::Launch) = pass.launch;
    book_beside(parts, pass.beside, both.tail, slowdown);
    for (std::size_t i = 0; i < exchange_parts.size(); ++i)
      part(parts, exchange_parts[i]) += pass.waited[i];
    for (std::size_t i = 0; i < parts.size(); ++i) times.parts[i] += layer.count * parts[i];
    times.length += layer.count * (both.length + sum(pass.waited) + pass.launch);
    times.communication += layer.count * (sum(pass.waited) + sum(pass.beside));
    times.gather += layer.count * pass.gather;
    times.reduce += layer.count * pass.reduce;
  }
  return times;
}

}  // namespace tofn
