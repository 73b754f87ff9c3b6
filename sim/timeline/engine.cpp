#include "sim/timeline/engine.hpp"

#include <cassert>

namespace tofn {
inline namespace timeline {
namespace {

constexpr std::size_t index(int value) { return static_cast<std::size_t>(value); }

}  // namespace

Engine::Engine(const StepWork& work, std::vector<Span>* spans)
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
  for (int part = 0; part <= last_virtual_stage(); ++part) sends_.push_back(send_time(work, part));
  for (int stage = 0; stage < shape_.stages; ++stage) {
    ranks_.emplace_back(stage, settings_);
    progress_.push_back({.order = stage_order(shape_, stage)});
    ready_.push_back(shape_.stages - 1 - stage);
    for (const ChunkTimes& chunk : work.stages[index(stage)]) add_passes(chunk);
  }
  arrivals_.resize(2 * index(shape_.stages) * index(shape_.chunks) * index(shape_.micro_batches));
  if (!work.data_overlap) return;
  // Parameters that are freed again are gathered one layer ahead; those that stay, as soon as the
  // links allow.
  for (int stage = 0; stage < shape_.stages; ++stage)
    while (queue_next_gather(stage) && !work.gathers_each_micro_batch) continue;
}

void Engine::add_passes(const ChunkTimes& chunk) {
  for (std::size_t kind = 0; kind < pass_kinds; ++kind)
    for (const bool whole : {false, true})
      for (const bool paired : {false, true}) {
        const bool occurs = (!whole || settings_.split) && (!paired || shape_.pairs);
        passes_.push_back(!occurs
                              ? PassTimes{}
                              : undisturbed(chunk, static_cast<PassKind>(kind),
                                            settings_.split && !whole, settings_.slowdown, paired));
      }
}

const std::vector<Rank>& Engine::run() {
  while (!ready_.empty()) {
    const int stage = ready_.back();
    ready_.pop_back();
    run_stage(stage);
  }
  for (int stage = 0; stage < shape_.stages; ++stage) {
    const Progress& progress = progress_[index(stage)];
    assert(progress.next == progress.order.size());
    const auto given = [&](const std::vector<Seconds>& times) {
      return times.empty() ? Seconds{} : times[index(stage)];
    };
    ranks_[index(stage)].finish(given(work_.after), given(work_.optimizer));
  }
  return ranks_;
}

std::size_t Engine::slot(int stage, const Pass& pass) const {
  const int direction = pass.kind == PassKind::Forward ? 0 : 1;
  const int row = (direction * shape_.stages + stage) * shape_.chunks + pass.chunk;
  return index(row) * index(shape_.micro_batches) + index(pass.micro_batch);
}

int Engine::virtual_stage(int stage, const Pass& pass) const {
  return placement_.virtual_stage(shape_.stages, {stage, pass.chunk});
}

Seconds Engine::receive_time(int stage, const Pass& pass) const {
  const int here = virtual_stage(stage, pass);
  return sends_[index(pass.kind == PassKind::Forward ? here - 1 : here)];
}

const ChunkTimes& Engine::chunk(int stage, const Pass& pass) const {
  return work_.stages[index(stage)][index(pass.chunk)];
}

const PassTimes& Engine::undisturbed_pass(int stage, const Pass& pass) const {
  const std::size_t kind =
      index(stage * shape_.chunks + pass.chunk) * pass_kinds + static_cast<std::size_t>(pass.kind);
  return passes_[4 * kind + (pass.whole ? 2 : 0) + (pass.paired ? 1 : 0)];
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
  for (; progress.next < progress.order.size(); ++progress.next) {
    const Pass& pass = progress.order[progress.next];
    // A pair begins when both have what they take, and hands on when both are done.
    const bool leads = pass.paired && pass.kind == PassKind::Forward;
    const Pass* partner = leads ? &progress.order[progress.next + 1] : nullptr;
    if (!has_input(stage, pass) || (partner != nullptr && !has_input(stage, *partner))) return;
    take_input(stage, pass);
    if (partner != nullptr) take_input(stage, *partner);
    run_pass(stage, pass);
    if (!leads) hand_on(stage, progress.next);
  }
}

bool Engine::receives(int stage, const Pass& pass) const {
  const bool is_forward = pass.kind == PassKind::Forward;
  return shape_.stages > 1 && pass.kind != PassKind::WeightGradients &&
         virtual_stage(stage, pass) != (is_forward ? 0 : last_virtual_stage());
}

bool Engine::has_input(int stage, const Pass& pass) {
  if (!receives(stage, pass) || arrivals_[slot(stage, pass)].time >= Seconds{}) return true;
  progress_[index(stage)].awaited = slot(stage, pass);
  return false;
}

void Engine::take_input(int stage, const Pass& pass) {
  if (!receives(stage, pass)) return;
  const Arrival& input = arrivals_[slot(stage, pass)];
  ranks_[index(stage)].wait_for_input(input.time, receive_time(stage, pass), input.span);
}

void Engine::hand_on(int stage, std::size_t place) {
  const std::vector<Pass>& order = progress_[index(stage)].order;
  if (shape_.stages == 1 || order[place].kind == PassKind::WeightGradients) return;
  if (order[place].paired) hand_over(stage, order[place - 1]);
  hand_over(stage, order[place]);
}

void Engine::run_pass(int stage, const Pass& pass) {
  const PassTimes& alone = undisturbed_pass(stage, pass);
  const bool is_disturbed = (gathers(pass) && alone.gather > Seconds{}) ||
                            (reduces(pass) && alone.reduce > Seconds{}) ||
                            !ranks_[index(stage)].data_is_idle();
  if (is_disturbed || settings_.spans != nullptr)
    run_layers(stage, pass);
  else
    ranks_[index(stage)].run(alone);
}

void Engine::run_layers(int stage, const Pass& pass) {
  const auto& layers = chunk(stage, pass).layers();
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

/// Queues the gather of the first layer, in the order of passes, that has none queued yet.
/// False where there is none.
bool Engine::queue_next_gather(int stage) {
  Progress& p = progress_[index(stage)];
  for (; p.gather_pass < p.order.size(); ++p.gather_pass, p.gather_layer = 0) {
    const Pass& pass = p.order[p.gather_pass];
    if (!gathers(pass) || undisturbed_pass(stage, pass).gather <= Seconds{}) continue;
    const auto& layers = chunk(stage, pass).layers();
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
  const bool forward = pass.kind == PassKind::Forward;
  const int here = virtual_stage(stage, pass);
  if (here == (forward ? last_virtual_stage() : 0)) return;
  const ChunkPlace there = placement_.place_of(shape_.stages, forward ? here + 1 : here - 1);
  const int receiver = there.stage;
  const std::size_t place = slot(receiver, {pass.kind, there.chunk, pass.micro_batch});
  Rank& rank = ranks_[index(stage)];
  const Span label{.kind = pass.kind, .chunk = pass.chunk, .micro_batch = pass.micro_batch};
  if (receiver == stage) {
    arrivals_[place] = {rank.now(), rank.last_span()};
    return;
  }
  const Seconds send = sends_[index(forward ? here : here - 1)];
  const Seconds arrival = rank.send(send, label);
  if (!work_.send_overlap) rank.wait_for_send();
  arrivals_[place] = {arrival, send > Seconds{} ? rank.send_span() : rank.last_span()};
  Progress& waiting = progress_[index(receiver)];
  if (waiting.awaited != place) return;
  waiting.awaited = nothing;
  ready_.push_back(receiver);
}

}  // namespace timeline
}  // namespace tofn
