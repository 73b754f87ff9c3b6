#include <algorithm>

#include "sim/timeline/pipeline_length.hpp"

namespace tofn {
inline namespace timeline {
namespace {

/// A walk over the layers of passes like the engine's, except that other chunks queue no
/// collectives.
struct Walk {
  const StepWork& work;
  bool gathers = false;
  bool reduces = false;
  Seconds length{};
  Seconds backlog{};       ///< time from now on in which the data stream stays busy
  Seconds gather_ready{};  ///< time from now until the next gather ends

  /// Walks over one layer; `next` is the gather time of the layer after it.
  void step(const LayerPass& pass, Seconds next);
  void layers(const LayerPass& pass, int count, Seconds next);
  void chunk(const ChunkTimes& chunk, PassKind kind, bool prefetches);
  /// Makes compute wait while the data stream goes on.
  void stand(Seconds time);
};

void Walk::step(const LayerPass& pass, Seconds next) {
  const Seconds gather = gathers ? pass.gather : Seconds{};
  const Seconds reduce = reduces ? pass.reduce : Seconds{};
  if (!work.data_overlap) {
    length += layer_length(pass, Seconds{}, work.slowdown) + gather + reduce;
    return;
  }
  if (gather > Seconds{}) {
    length += gather_ready;
    backlog = std::max(Seconds{}, backlog - gather_ready) + next;
    gather_ready = next > Seconds{} ? backlog : Seconds{};
  }
  const Seconds time = layer_length(pass, backlog, work.slowdown);
  length += time;
  gather_ready = std::max(Seconds{}, gather_ready - time);
  backlog = std::max(Seconds{}, backlog - time) + reduce;
}

// Equal layers soon settle into a rhythm, so that the rest need no steps. Layers without traffic
// need none either.
void Walk::layers(const LayerPass& pass, int count, Seconds next) {
  const bool sends = (gathers && pass.gather > Seconds{}) || (reduces && pass.reduce > Seconds{});
  if (!sends && backlog <= Seconds{} && gather_ready <= Seconds{}) {
    length += count * layer_length(pass, Seconds{}, work.slowdown);
    return;
  }
  for (int i = 0; i < count - 1; ++i) {
    const Walk before = *this;
    step(pass, pass.gather);
    if (i == 0 || backlog != before.backlog || gather_ready != before.gather_ready) continue;
    length += (count - 2 - i) * (length - before.length);
    break;
  }
  step(pass, next);
}

void Walk::chunk(const ChunkTimes& chunk, PassKind kind, bool prefetches) {
  const bool split = traits_of(work.schedule).splits_backward;
  const std::size_t count = chunk.layers().size();
  const auto layer = [&](std::size_t i) -> const LayerTimes& {
    return chunk.layers()[kind == PassKind::Forward ? i : count - 1 - i];
  };
  for (std::size_t i = 0; i < count; ++i) {
    const bool ends = i + 1 == count;
    const Seconds next = part_of(layer(ends ? 0 : i + 1), kind, split).gather;
    layers(part_of(layer(i), kind, split), layer(i).count, ends && !prefetches ? Seconds{} : next);
  }
}

void Walk::stand(Seconds time) {
  length += time;
  backlog = std::max(Seconds{}, backlog - time);
  gather_ready = std::max(Seconds{}, gather_ready - time);
}

/// Time that compute waits for the sends that follow the passes.
struct SendStalls {
  Seconds forward, backward;
};

/// Passes one after another, each overlapped with the traffic that earlier ones left on the data
/// stream.
struct Succession {
  const ChunkTimes& chunk;
  const SendStalls& stalls;
  Walk walk;

  Seconds pass(PassKind kind, bool gathers, bool prefetches);
  template <class Round>
  Seconds repeat(int count, const Round& round);
};

Seconds Succession::pass(PassKind kind, bool gathers, bool prefetches) {
  const Seconds start = walk.length;
  walk.gathers = gathers;
  walk.chunk(chunk, kind, prefetches);
  if (kind == PassKind::Forward) walk.stand(stalls.forward);
  if (kind == PassKind::Backward) walk.stand(stalls.backward);
  return walk.length - start;
}

/// Calls `round` a few times, until it settles, with the number of rounds that the call stands for.
/// Returns the growth of the backlog in the rounds left out.
template <class Round>
Seconds Succession::repeat(int count, const Round& round) {
  constexpr int most_rounds = 6;
  const int rounds = std::min(count, most_rounds);
  for (int i = 1; i < rounds; ++i) round(1);
  if (rounds == 0) return {};
  const Seconds before = walk.backlog;
  const int left_out = count - rounds;
  round(1 + left_out);
  return left_out * (walk.backlog - before);
}

Seconds gather_time(const ChunkTimes& chunk) {
  Seconds sum;
  for (const LayerTimes& layer : chunk.layers()) sum += layer.count * layer.forward.gather;
  return sum;
}

/// True if parameters that stay are gathered during the passes.
bool gathers_once(const StepWork& work, const ChunkTimes& chunk) {
  return !work.gathers_each_micro_batch && work.data_overlap && gather_time(chunk) > Seconds{};
}

Seconds first_gather_of(const ChunkTimes& chunk) {
  return chunk.layers().empty() ? Seconds{} : chunk.layers().front().forward.gather;
}

/// Time of the first forward pass if parameters stay. Their gathers follow each other from the
/// start of the step. `ahead`: time that they have travelled when the pass starts, less those of
/// other chunks before them.
Seconds first_forward(const StepWork& work, const ChunkTimes& chunk, Seconds ahead) {
  const Seconds travelling = gather_time(chunk) - ahead;
  Seconds length;
  Seconds ready = -ahead;
  for (const LayerTimes& layer : chunk.layers())
    for (int i = 0; i < layer.count; ++i) {
      ready += layer.forward.gather;
      length = std::max(length, ready);
      length +=
          layer_length(layer.forward, std::max(Seconds{}, travelling - length), work.slowdown);
    }
  return length;
}

/// Lengths of passes if the gradients of every micro-batch are reduced, overlapped with the passes
/// of the next one: means over the passes in the order of a stage on its own.
StageLengths reducing_lengths(const StepWork& work, const ChunkTimes& chunk,
                              const SendStalls& stalls, Seconds ahead) {
  const bool split = traits_of(work.schedule).splits_backward;
  const bool again = work.gathers_each_micro_batch;
  Succession passes{chunk, stalls, {.work = work, .reduces = true}};
  StageLengths lengths;
  const auto weights = [&] {
    return split ? passes.pass(PassKind::WeightGradients, false, false) : Seconds{};
  };
  const auto forwards = [&](int times) {
    lengths.forward += times * passes.pass(PassKind::Forward, again, again);
  };
  const auto backwards = [&](int times) {
    lengths.backward += times * passes.pass(PassKind::Backward, again, again);
    lengths.weights += times * weights();
  };
  const auto both = [&](int times) {
    backwards(times);
    forwards(times);
  };
  const int others = work.micro_batches - 1;
  lengths.first_forward = passes.pass(PassKind::Forward, true, again);
  if (gathers_once(work, chunk))
    lengths.first_forward = first_forward(work, chunk, ahead) + stalls.forward;
  const bool alternates = !traits_of(work.schedule).forwards_first;
  if (!alternates) passes.repeat(others, forwards);
  const Seconds grown = alternates ? passes.repeat(others, both) : passes.repeat(others, backwards);
  for (Seconds* sum : {&lengths.forward, &lengths.backward, &lengths.weights})
    *sum /= std::max(1, others);
  lengths.last_backward = passes.pass(PassKind::Backward, again, false);
  lengths.last_weights = weights();
  lengths.tail = std::max(Seconds{}, passes.walk.backlog + grown);
  if (work.data_overlap) lengths.first_gather = first_gather_of(chunk);
  return lengths;
}

/// Lengths of a chunk's passes on a stage of its own.
StageLengths stage_lengths(const StepWork& work, const ChunkTimes& chunk, const SendStalls& stalls,
                           Seconds ahead) {
  if (work.reduces_each_micro_batch) return reducing_lengths(work, chunk, stalls, ahead);
  const bool split = traits_of(work.schedule).splits_backward;
  const bool again = work.gathers_each_micro_batch;
  const PassKind gradients = split ? PassKind::WeightGradients : PassKind::Backward;
  const auto walk = [&](PassKind kind, bool gathers, bool reduces, bool prefetches) {
    Walk walked{.work = work, .gathers = gathers, .reduces = reduces};
    walked.chunk(chunk, kind, prefetches);
    if (kind == PassKind::Forward) walked.stand(stalls.forward);
    if (kind == PassKind::Backward) walked.stand(stalls.backward);
    return walked;
  };
  const auto length = [&](PassKind kind, bool gathers) {
    const Walk walked = walk(kind, gathers, false, again);
    return walked.length + walked.gather_ready;
  };
  StageLengths lengths;
  lengths.first_forward = gathers_once(work, chunk)
                              ? first_forward(work, chunk, ahead) + stalls.forward
                              : length(PassKind::Forward, true);
  const bool travels = gather_time(chunk) > Seconds{};
  lengths.forward = again || !travels ? lengths.first_forward : length(PassKind::Forward, false);
  lengths.backward = length(PassKind::Backward, again);
  if (split) lengths.weights = length(PassKind::WeightGradients, false);
  const Walk last = walk(gradients, again, true, false);
  lengths.last_backward =
      split ? walk(PassKind::Backward, again, false, false).length : last.length;
  if (split) lengths.last_weights = last.length;
  lengths.tail = last.backlog;
  if (work.data_overlap) lengths.first_gather = first_gather_of(chunk);
  return lengths;
}

}  // namespace

PassWalks::PassWalks(const StepWork& work) : work_(work) {
  const bool split = traits_of(work.schedule).splits_backward;
  for (const auto& stage : work.stages)
    for (const ChunkTimes& chunk : stage) {
      const auto known =
          std::ranges::find_if(kinds_, [&](const Kind& kind) { return *kind.chunk == chunk; });
      kind_of_.push_back(static_cast<std::size_t>(known - kinds_.begin()));
      if (known != kinds_.end()) continue;
      Kind& kind = kinds_.emplace_back(Kind{&chunk, {}});
      for (std::size_t i = 0; i < (split ? pass_kinds : pass_kinds - 1); ++i)
        kind.undisturbed[i] =
            tofn::undisturbed(chunk, static_cast<PassKind>(i), split, work.slowdown);
    }
}

std::size_t PassWalks::kind_of(int stage, int chunk) const {
  const std::size_t chunks = work_.stages.front().size();
  return kind_of_[static_cast<std::size_t>(stage) * chunks + static_cast<std::size_t>(chunk)];
}

const PassTimes& PassWalks::undisturbed(int stage, int chunk, PassKind kind) const {
  return kinds_[kind_of(stage, chunk)].undisturbed[static_cast<std::size_t>(kind)];
}

const StageLengths& PassWalks::walk(const Given& given) {
  const auto known =
      std::ranges::find_if(walked_, [&](const auto& walked) { return walked.first == given; });
  if (known != walked_.end()) return known->second;
  walked_.emplace_back(given, stage_lengths(work_, *kinds_[given.kind].chunk,
                                            {given.forward, given.backward}, given.ahead));
  return walked_.back().second;
}

PassLengths PassWalks::lengths(const Sends& sends) {
  const int stages = static_cast<int>(work_.stages.size());
  const int chunks = static_cast<int>(work_.stages.front().size());
  const ChunkPlacement placement = traits_of(work_.schedule).placement;
  // A group of micro-batches passes each chunk before the next chunk's turn.
  const int group = std::min(work_.micro_batches, stages);
  PassLengths all{sends, static_cast<std::size_t>(chunks), {}};
  all.lengths.reserve(kind_of_.size());
  Seconds start;  // start of the stage's first pass
  for (int stage = 0; stage < stages; ++stage) {
    if (stage > 0) start += all.of(stage - 1).first_forward + sends.travel(stage - 1);
    start = std::max(start, first_gather_of(*kinds_[kind_of(stage, 0)].chunk));
    Seconds ahead = start;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int part = placement.virtual_stage(stages, {stage, chunk});
      const std::size_t kind = kind_of(stage, chunk);
      all.lengths.push_back(
          walk({.kind = kind,
                .forward = part + 1 == stages * chunks ? Seconds{} : sends.stall(part),
                .backward = part == 0 ? Seconds{} : sends.stall(part - 1),
                .ahead = gathers_once(work_, *kinds_[kind].chunk) ? ahead : Seconds{}}));
      const PassTimes& forward = undisturbed(stage, chunk, PassKind::Forward);
      ahead += group * forward.length - forward.gather;
    }
  }
  return all;
}

}  // namespace timeline
}  // namespace tofn
