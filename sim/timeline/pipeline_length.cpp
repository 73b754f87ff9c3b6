#include "sim/timeline/pipeline_length.hpp"

#include <algorithm>

namespace tofn {
namespace {

constexpr std::size_t index(int value) { return static_cast<std::size_t>(value); }

/// One stage of a pipeline without chunks.
StageLengths lengths_of(const StepWork& work, int stage) {
  return stage_lengths(work, work.stages[index(stage)].front());
}

Seconds ending(const StepWork& work, int stage) {
  const auto given = [&](const std::vector<Seconds>& times) {
    return times.empty() ? Seconds{} : times[index(stage)];
  };
  return given(work.after) + given(work.optimizer);
}

/// The steady state of a pipeline: seconds per micro-batch, over how many stages that is a mean,
/// and the weight gradients in it.
struct Pace {
  Seconds time;
  int stages = 1;
  Seconds weights;
};

/// The largest mean over neighbouring stages of what they do with the sends between them: where
/// `n` stages alternate, a micro-batch goes down and up before the n-th after it may start.
/// Dinkelbach's iteration (1967): the best window under a guess gives the next guess.
Pace steady_pace(const StepWork& work, Seconds send) {
  Pace pace;
  for (int round = 0; round < 64; ++round) {
    Seconds best = 1e-12 * pace.time;
    Seconds gain;
    Pace window, found;
    for (int stage = 0; stage < static_cast<int>(work.stages.size()); ++stage) {
      const StageLengths s = lengths_of(work, stage);
      const Seconds both = s.forward + s.backward;
      const Seconds joined = gain + both + 2 * send - pace.time;
      gain = both + s.weights - pace.time;
      if (stage > 0 && joined > gain) {
        gain = joined;
        window = {window.time + both + 2 * send, window.stages + 1, window.weights};
      } else {
        window = {both + s.weights, 1, s.weights};
      }
      if (gain <= best) continue;
      best = gain;
      found = {window.time / window.stages, window.stages, window.weights};
    }
    if (found.time <= pace.time) break;
    pace = found;
  }
  return pace;
}

/// `count` micro-batches at the steady pace; of them `less` have no weight gradients yet.
Seconds steady_time(const Pace& pace, const StageLengths& s, Seconds send, int count, int less) {
  const Seconds own = count * (s.forward + s.backward + s.weights) - less * s.weights;
  // A window that does not divide the count is gone through once more, in part.
  const int whole = (count + pace.stages - 1) / pace.stages;
  const double part = whole - static_cast<double>(count) / pace.stages;
  return std::max(own, count * pace.time - less * pace.weights - 2 * part * send);
}

/// Sums over all stages of one micro-batch's way down, and up.
struct Way {
  Seconds down, up;
};
Way way_of(const StepWork& work, Seconds send) {
  Way way;
  const int stages = static_cast<int>(work.stages.size());
  for (int stage = 0; stage < stages; ++stage) {
    const StageLengths s = lengths_of(work, stage);
    way.down += s.first_forward + send;
    way.up += s.backward + send;
  }
  return {way.down - send, way.up - send};
}

/// Length of a step by the longest of its few kinds of path: down to a stage, through that stage's
/// passes or to and fro at the steady pace, then up again to the stage that ends last.
Seconds length_without_chunks(const StepWork& work, Seconds send) {
  const bool all_first = work.schedule == PipelineSchedule::GPipe;
  const int stages = static_cast<int>(work.stages.size());
  const int count = work.micro_batches;
  const Pace pace = all_first ? Pace{} : steady_pace(work, send);
  const Way way = way_of(work, send);
  Seconds down, up_above;     // of the first micro-batch to this stage; of all stages above it
  Seconds last_forward;       // start of the last forward pass
  Seconds rest, total, turn;  // from the end of the last backward pass to the end of the step
  StageLengths above;
  for (int stage = 0; stage < stages; ++stage) {
    const StageLengths s = lengths_of(work, stage);
    const int behind = stages - 1 - stage;
    down = std::max(down, s.first_gather);
    const Seconds up = way.up - up_above - s.backward;  // from the last stage, to here
    const Seconds below = way.down - down - s.first_forward + up;
    const bool alternates = !all_first && count > behind + 1;
    // Of the zero-bubble schedule: weight gradients that run before the last backward pass.
    const Seconds filled = s.backward + s.weights;
    Seconds own = down + (count > 1 ? s.first_forward + (count - 2) * s.forward : Seconds{});
    if (alternates) {
      const Seconds start = std::max(s.first_forward + behind * s.forward, s.first_forward + below);
      const int steady = count - 2 - behind;
      own = down + start + s.backward + (stage == 0 ? s.weights : Seconds{}) +
            steady_time(pace, s, send, steady, std::clamp(stage - 1, 0, steady));
    }
    if (stage > 0) last_forward += above.forward + send;
    if (stage > 0 && count == 1) last_forward += above.first_forward - above.forward;
    last_forward = std::max(last_forward, own);
    const Seconds end = (std::min(stage + 1, count) - 1) * s.weights + s.last_weights + s.tail +
                        ending(work, stage);
    rest = stage > 0 ? std::max(end, above.last_backward + send + rest) : end;
    const Seconds after = alternates ? behind * filled : (count - 1) * filled;
    total = std::max(total, last_forward + s.forward + after + s.last_backward + rest);
    if (!alternates)
      total = std::max(
          total, down + s.first_forward + below + (count - 1) * filled + s.last_backward + rest);
    down += s.first_forward + send;
    up_above += s.backward + send;
    above = s;
  }
  return total;
}

/// One stage's chunks together, and their mean.
struct StageOfChunks {
  Seconds busy;  ///< all passes of the step
  Seconds forward, backward, weights;
  StageLengths first;  ///< the chunk that a micro-batch meets first
};
StageOfChunks stage_of_chunks(const StepWork& work, int stage) {
  StageOfChunks all;
  const auto& chunks = work.stages[index(stage)];
  for (const ChunkTimes& chunk : chunks) {
    const StageLengths s = stage_lengths(work, chunk);
    if (&chunk == &chunks.front()) all.first = s;
    all.forward += s.forward;
    all.backward += s.backward;
    all.weights += s.weights;
    all.busy += pass_time(s, work.micro_batches);
  }
  const auto count = static_cast<double>(chunks.size());
  all.forward /= count;
  all.backward /= count;
  all.weights /= count;
  return all;
}

/// Time that a stage waits for those behind it, which take `below` for one micro-batch there and
/// back: while pipelines fill and drain, its own passes hide some of that.
Seconds fill_and_drain(PipelineSchedule schedule, const StageOfChunks& s, int behind,
                       Seconds below) {
  if (schedule == PipelineSchedule::GPipe) return below;
  return std::max(Seconds{}, below - behind * s.forward) +
         std::max(Seconds{}, below - behind * (s.backward + s.weights));
}

/// What filling and draining adds to a stage with chunks of these mean lengths: a group of as many
/// micro-batches as stages passes a chunk no faster than one micro-batch passes all stages. The
/// first and the last chunk's way is in the waiting for stages behind, and in the way up.
Seconds slow_groups(const StepWork& work, Seconds send) {
  const std::size_t chunks = work.stages.front().size();
  const int group = std::min(static_cast<int>(work.stages.size()), work.micro_batches);
  Seconds added;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    Seconds way_down, way_up, down, up;
    for (const auto& stage : work.stages) {
      const StageLengths s = stage_lengths(work, stage[chunk]);
      way_down += s.first_forward + send;
      way_up += s.last_backward + send;
      down = std::max(down, s.first_forward + (group - 1) * s.forward);
      up = std::max(up, s.last_backward + s.last_weights + (group - 1) * (s.backward + s.weights));
    }
    if (chunk + 1 < chunks) added += std::max(Seconds{}, way_down - down);
    if (chunk > 0) added += std::max(Seconds{}, way_up - up);
  }
  return added;
}

/// As above, with stages taken for as many equal chunks as they have.
Seconds length_with_chunks(const StepWork& work, Seconds send) {
  const int stages = static_cast<int>(work.stages.size());
  Seconds below, down, rest, total;
  for (int stage = 0; stage < stages; ++stage) {
    const StageOfChunks s = stage_of_chunks(work, stage);
    below += s.forward + s.backward + 2 * send;
  }
  const Seconds slow = slow_groups(work, send);
  StageLengths above;
  for (int stage = 0; stage < stages; ++stage) {
    const StageOfChunks s = stage_of_chunks(work, stage);
    down = std::max(down, s.first.first_gather);
    below -= s.forward + s.backward + 2 * send;
    const Seconds end = s.first.tail + ending(work, stage);
    rest = stage > 0 ? std::max(end, above.last_backward + send + rest) : end;
    const Seconds waiting = fill_and_drain(work.schedule, s, stages - 1 - stage, below);
    total = std::max(total, down + s.busy + slow + waiting + rest);
    down += s.first.first_forward + send;
    above = s.first;
  }
  return total;
}

}  // namespace

Seconds pass_time(const StageLengths& s, int micro_batches) {
  return s.first_forward + s.last_backward + s.last_weights +
         (micro_batches - 1) * (s.forward + s.backward + s.weights);
}

Seconds pipeline_length(const StepWork& work, Seconds send) {
  return work.stages.front().size() == 1 ? length_without_chunks(work, send)
                                         : length_with_chunks(work, send);
}

}  // namespace tofn
