#include "sim/timeline/stage_lengths.hpp"

#include <algorithm>

namespace tofn {
namespace {

/// One layer, beside the first `data` seconds of which the data stream is busy.
Seconds layer_length(const LayerPass& pass, Seconds data, double slowdown) {
  const Seconds beside = sum(pass.beside);
  const Seconds busy = std::max(beside, data);
  const Seconds computed = (1 - slowdown) * busy <= pass.compute ? pass.compute + slowdown * busy
                                                                 : pass.compute / (1 - slowdown);
  return std::max(computed, beside) + sum(pass.waited) + pass.launch;
}

/// A walk over the layers of passes, as the engine takes it, but for collectives queued elsewhere.
struct Walk {
  const StepWork& work;
  bool gathers = false;
  bool reduces = false;
  Seconds length{};
  Seconds backlog{};       ///< for which the data stream stays busy from now on
  Seconds gather_ready{};  ///< from now

  void step(const LayerPass& pass);
  void layers(const LayerPass& pass, int count);
  void chunk(const ChunkTimes& chunk, PassKind kind);
};

void Walk::step(const LayerPass& pass) {
  const Seconds gather = gathers ? pass.gather : Seconds{};
  const Seconds reduce = reduces ? pass.reduce : Seconds{};
  if (!work.data_overlap) {
    length += layer_length(pass, Seconds{}, work.slowdown) + gather + reduce;
    return;
  }
  if (gather > Seconds{}) {
    length += gather_ready;
    backlog = std::max(Seconds{}, backlog - gather_ready) + gather;
    gather_ready = backlog;
  }
  const Seconds time = layer_length(pass, backlog, work.slowdown);
  length += time;
  gather_ready = std::max(Seconds{}, gather_ready - time);
  backlog = std::max(Seconds{}, backlog - time) + reduce;
}

// Layers of a kind soon settle to a rhythm: the rest of them need no steps.
void Walk::layers(const LayerPass& pass, int count) {
  for (int i = 0; i < count; ++i) {
    const Walk before = *this;
    step(pass);
    if (i == 0 || backlog != before.backlog || gather_ready != before.gather_ready) continue;
    length += (count - 1 - i) * (length - before.length);
    return;
  }
}

void Walk::chunk(const ChunkTimes& chunk, PassKind kind) {
  const bool split = work.schedule == PipelineSchedule::ZeroBubble;
  const std::size_t count = chunk.layers.size();
  for (std::size_t i = 0; i < count; ++i) {
    const LayerTimes& layer = chunk.layers[kind == PassKind::Forward ? i : count - 1 - i];
    layers(part_of(layer, kind, split), layer.count);
  }
}

Walk walked(const StepWork& work, const ChunkTimes& chunk, PassKind kind, bool gathers,
            bool reduces) {
  Walk walk{.work = work, .gathers = gathers, .reduces = reduces};
  walk.chunk(chunk, kind);
  return walk;
}

}  // namespace

StageLengths stage_lengths(const StepWork& work, const ChunkTimes& chunk) {
  const bool split = work.schedule == PipelineSchedule::ZeroBubble;
  const bool again = work.gathers_each_micro_batch;
  const PassKind gradients = split ? PassKind::WeightGradients : PassKind::Backward;
  StageLengths lengths;
  const auto length = [&](PassKind kind, bool gathers) {
    const Walk walk = walked(work, chunk, kind, gathers, false);
    return walk.length + walk.gather_ready;
  };
  lengths.first_forward = length(PassKind::Forward, true);
  lengths.forward = again ? lengths.first_forward : length(PassKind::Forward, false);
  lengths.backward = length(PassKind::Backward, again);
  if (split) lengths.weights = length(PassKind::WeightGradients, false);
  const Walk last = walked(work, chunk, gradients, again, true);
  lengths.last_backward = split ? lengths.backward : last.length;
  if (split) lengths.last_weights = last.length;
  lengths.tail = last.backlog;
  return lengths;
}

}  // namespace tofn
