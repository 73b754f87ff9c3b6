#include "sim/timeline/engine.hpp"

#include <cassert>

namespace tofn {
inline namespace timeline {
namespace {

Seconds of_stage(const std::vector<Seconds>& times, int stage) {
  return times.empty() ? Seconds{} : times[static_cast<std::size_t>(stage)];
}

}  // namespace

Engine::Engine(const StepWork& work, int micro_batches, std::vector<Span>* spans)
    : work_(work),
      shape_(shape_of(work)),
      placement_(traits_of(work.schedule).placement),
      settings_{.slowdown = work.slowdown,
                .data_overlap = work.data_overlap,
                .split = traits_of(work.schedule).splits_backward,
                .spans = spans} {
  for (const double share : {work.slowdown.tensor, work.slowdown.context, work.slowdown.data})
    assert(share >= 0 && share <= 1);
  assert(work.send.empty() || work.send.size() == work.stages.size());
  shape_.micro_batches = micro_batches;
  ranks_.reserve(index(shape_.stages));
  for (int stage = 0; stage < shape_.stages; ++stage) add_stage(stage);
  arrivals_.resize(2 * index(shape_.stages) * index(shape_.chunks) * index(micro_batches));
  if (!work.data_overlap) return;
  // Parameters that are freed again are gathered one layer ahead; parameters that stay are gathered
  // as soon as the links allow.
  for (int stage = 0; stage < shape_.stages; ++stage)
    while (queue_next_gather(stage) && !work.gathers_each_micro_batch) continue;
}

void Engine::add_stage(int stage) {
  ranks_.emplace_back(stage, settings_);
  progress_.push_back({.order = stage_order(shape_, stage)});
  ready_.push_back(shape_.stages - 1 - stage);
  for (int chunk = 0; chunk < shape_.chunks; ++chunk)
    for (std::size_t kind = 0; kind < pass_kinds; ++kind)
      add_lane(stage, chunk, static_cast<PassKind>(kind));
  progress_.back().left = least_time(stage);
}

void Engine::add_lane(int stage, int chunk, PassKind kind) {
  Lane lane{.chunk = &work_.stages[index(stage)][index(chunk)]};
  add_alone(lane, kind);
  const bool forward = kind == PassKind::Forward;
  const auto first_arrival = [&](ChunkPlace at) {
    const int row = ((forward ? 0 : 1) * shape_.stages + at.stage) * shape_.chunks + at.chunk;
    return index(row) * index(shape_.micro_batches);
  };
  lane.first_arrival = first_arrival({stage, chunk});
  if (shape_.stages > 1 && kind != PassKind::WeightGradients) {
    const int here = placement_.virtual_stage(shape_.stages, {stage, chunk});
    lane.receives = here != (forward ? 0 : last_virtual_stage());
    if (lane.receives) lane.receive_time = send_time(work_, forward ? here - 1 : here);
    if (here != (forward ? last_virtual_stage() : 0)) {
      const ChunkPlace there = placement_.place_of(shape_.stages, forward ? here + 1 : here - 1);
      lane.receiver = there.stage;
      lane.receiver_arrival = first_arrival(there);
      lane.send = send_time(work_, forward ? here : here - 1);
    }
  }
  lanes_.push_back(lane);
}

/// Sets the undisturbed times of the lane's passes. Most chunks equal others and share their times.
void Engine::add_alone(Lane& lane, PassKind kind) const {
  for (std::size_t i = static_cast<std::size_t>(kind); i < lanes_.size(); i += pass_kinds)
    if (*lanes_[i].chunk == *lane.chunk) {
      lane.alone = lanes_[i].alone;
      return;
    }
  for (const bool whole : {false, true})
    for (const bool paired : {false, true})
      if ((!whole || settings_.split) && (!paired || shape_.pairs))
        lane.alone[(whole ? 2U : 0U) + (paired ? 1U : 0U)] =
            undisturbed(*lane.chunk, kind, settings_.split && !whole, settings_.slowdown, paired);
}

/// Least time of a stage's passes and ending, because traffic only lengthens passes. Micro-batches
/// that are not run count too, except with pairs, whose passes depend on what runs beside them.
Seconds Engine::least_time(int stage) const {
  Seconds least = of_stage(work_.after, stage) + of_stage(work_.optimizer, stage);
  for (const Pass& pass : progress_[index(stage)].order) least += alone(stage, pass).length;
  if (shape_.pairs) return least;
  const int others = work_.micro_batches - shape_.micro_batches;
  const std::size_t kinds = settings_.split ? pass_kinds : pass_kinds - 1;
  for (int chunk = 0; others > 0 && chunk < shape_.chunks; ++chunk)
    for (std::size_t kind = 0; kind < kinds; ++kind)
      least += others *
               lanes_[lane_index(stage, chunk, static_cast<PassKind>(kind))].alone.front().length;
  return least;
}

void Engine::mark(int first, int every, int last) {
  first_mark_ = first;
  every_mark_ = every;
  last_mark_ = last;
}

bool Engine::run(Seconds limit) {
  limit_ = limit;
  while (!ready_.empty() && !is_stopped_) {
    const int stage = ready_.back();
    ready_.pop_back();
    run_stage(stage);
  }
  for (int stage = 0; stage < shape_.stages && !is_stopped_; ++stage) {
    const Progress& progress = progress_[index(stage)];
    assert(progress.next == progress.order.size());
    ranks_[index(stage)].finish(of_stage(work_.after, stage), of_stage(work_.optimizer, stage));
  }
  return !is_stopped_;
}

std::size_t Engine::lane_index(int stage, int chunk, PassKind kind) const {
  return index(stage * shape_.chunks + chunk) * pass_kinds + static_cast<std::size_t>(kind);
}

LayerPass Engine::times_of(const LayerTimes& layer, const Pass& pass) const {
  const bool split = settings_.split && !pass.whole;
  return pass.paired ? paired_part_of(layer, pass.kind, split) : part_of(layer, pass.kind, split);
}

// Parameters that stay are gathered once, by the first forward pass.
bool Engine::gathers(const Pass& pass) const {
  return work_.gathers_each_micro_batch ||
         (pass.kind == PassKind::Forward && pass.micro_batch == 0);
}

bool Engine::reduces(const Pass& pass) const {
  return work_.reduces_each_micro_batch || pass.micro_batch == shape_.micro_batches - 1;
}

void Engine::run_stage(int stage) {
  Progress& progress = progress_[index(stage)];
  for (; progress.next < progress.order.size() && !is_stopped_; ++progress.next) {
    const Pass& pass = progress.order[progress.next];
    if (last_mark_ >= 0) mark_rank(stage, pass);
    // A pair begins when both passes have their inputs, and sends its outputs when both are done.
    const bool leads = pass.paired && pass.kind == PassKind::Forward;
    const Pass* partner = leads ? &progress.order[progress.next + 1] : nullptr;
    if (!has_input(stage, pass) || (partner != nullptr && !has_input(stage, *partner))) return;
    take_input(stage, pass);
    if (partner != nullptr) take_input(stage, *partner);
    run_pass(stage, pass);
    if (!leads) hand_on(stage, progress.next);
  }
}

bool Engine::has_input(int stage, const Pass& pass) {
  const Lane& of = lane(stage, pass);
  if (!of.receives) return true;
  const std::size_t place = of.first_arrival + index(pass.micro_batch);
  if (arrivals_[place].time >= Seconds{}) return true;
  progress_[index(stage)].awaited = place;
  return false;
}

void Engine::take_input(int stage, const Pass& pass) {
  const Lane& of = lane(stage, pass);
  if (!of.receives) return;
  const Arrival& input = arrivals_[of.first_arrival + index(pass.micro_batch)];
  ranks_[index(stage)].wait_for_input(input.time, of.receive_time, input.span);
}

void Engine::hand_on(int stage, std::size_t place) {
  const std::vector<Pass>& order = progress_[index(stage)].order;
  if (order[place].paired) hand_over(stage, order[place - 1]);
  hand_over(stage, order[place]);
}

void Engine::run_pass(int stage, const Pass& pass) {
  const PassTimes& times = alone(stage, pass);
  Rank& rank = ranks_[index(stage)];
  const bool is_disturbed = (gathers(pass) && times.gather > Seconds{}) ||
                            (reduces(pass) && times.reduce > Seconds{}) || !rank.data_is_idle();
  if (is_disturbed || settings_.spans != nullptr)
    run_layers(stage, pass);
  else
    rank.run(times);
  Seconds& left = progress_[index(stage)].left;
  left -= times.length;
  is_stopped_ = rank.now() + left > limit_;
}

void Engine::run_layers(int stage, const Pass& pass) {
  const auto& layers = lane(stage, pass).chunk->layers();
  Span label{.kind = pass.kind, .chunk = pass.chunk, .micro_batch = pass.micro_batch};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool backward = pass.kind != PassKind::Forward;
    const LayerTimes& layer = layers[backward ? layers.size() - 1 - i : i];
    const LayerPass times = times_of(layer, pass);
    label.layer = &layer;
    for (int repeat = 0; repeat < layer.count; ++repeat)
      ranks_[index(stage)].run(times, label, gathers(pass), reduces(pass),
                               [&] { queue_next_gather(stage); });
  }
}

/// Queues the gather of the first layer, in the order of passes, whose gather is not queued yet.
/// False if there is none.
bool Engine::queue_next_gather(int stage) {
  Progress& p = progress_[index(stage)];
  for (; p.gather_pass < p.order.size(); ++p.gather_pass, p.gather_layer = 0) {
    const Pass& pass = p.order[p.gather_pass];
    if (!gathers(pass) || alone(stage, pass).gather <= Seconds{}) continue;
    const auto& layers = lane(stage, pass).chunk->layers();
    for (; p.gather_layer < layers.size(); ++p.gather_layer, p.gather_repeat = 0) {
      const bool backward = pass.kind != PassKind::Forward;
      const LayerTimes& layer =
          layers[backward ? layers.size() - 1 - p.gather_layer : p.gather_layer];
      const Seconds gather = times_of(layer, pass).gather;
      if (gather <= Seconds{} || p.gather_repeat == layer.count) continue;
      ++p.gather_repeat;
      ranks_[index(stage)].queue_gather(gather, {.kind = pass.kind,
                                                 .chunk = pass.chunk,
                                                 .micro_batch = pass.micro_batch,
                                                 .layer = &layer});
      return true;
    }
  }
  return false;
}

void Engine::hand_over(int stage, const Pass& pass) {
  const Lane& of = lane(stage, pass);
  if (of.receiver < 0) return;
  const std::size_t place = of.receiver_arrival + index(pass.micro_batch);
  Rank& rank = ranks_[index(stage)];
  if (of.receiver == stage) {
    arrivals_[place] = {rank.now(), rank.last_span()};
    return;
  }
  const Seconds arrival =
      rank.send(of.send, {.kind = pass.kind, .chunk = pass.chunk, .micro_batch = pass.micro_batch});
  if (!work_.send_overlap) rank.wait_for_send();
  arrivals_[place] = {arrival, of.send > Seconds{} ? rank.send_span() : rank.last_span()};
  Progress& waiting = progress_[index(of.receiver)];
  if (waiting.awaited != place) return;
  waiting.awaited = nothing;
  ready_.push_back(of.receiver);
}

}  // namespace timeline
}  // namespace tofn
