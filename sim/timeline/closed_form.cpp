#include <algorithm>

#include "sim/timeline/account.hpp"
#include "sim/timeline/stage_lengths.hpp"
#include "sim/timeline/timeline.hpp"

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

}  // namespace

StepTimes closed_form(const StepWork& work) {
  const Seconds send = work.stages.size() > 1 ? work.send : Seconds{};
  StepTimes t;
  t.total = length_without_chunks(work, send);
  return t;
}

}  // namespace tofn
