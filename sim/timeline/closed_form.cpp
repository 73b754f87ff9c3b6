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

/// Seconds per micro-batch in the steady state: the largest mean over neighbouring stages of what
/// they do, with the sends between them (a micro-batch goes down and up before the next may start).
/// Dinkelbach's iteration (1967): the best window for a guess gives the next guess.
Seconds steady_pace(const StepWork& work, Seconds send) {
  const int stages = static_cast<int>(work.stages.size());
  Seconds pace;
  for (int round = 0; round < 64; ++round) {
    Seconds best{-1}, window, best_pace;
    Seconds sum;
    int length = 0;
    for (int stage = 0; stage < stages; ++stage) {
      const StageLengths s = lengths_of(work, stage);
      const Seconds both = s.forward + s.backward;
      const Seconds joined = window + both + 2 * send - pace;
      const Seconds alone = both + s.weights - pace;
      const bool joins = stage > 0 && joined > alone;
      window = joins ? joined : alone;
      sum = joins ? sum + both + 2 * send : both + s.weights;
      length = joins ? length + 1 : 1;
      if (window > best) {
        best = window;
        best_pace = sum / length;
      }
    }
    if (best <= 1e-12 * pace) break;
    pace = best_pace;
  }
  return pace;
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
  const Seconds pace = all_first ? Seconds{} : steady_pace(work, send);
  const Way way = way_of(work, send);
  Seconds down, up_above;     // of the first micro-batch to this stage; of all stages above it
  Seconds last_forward;       // start of the last forward pass
  Seconds rest, total, turn;  // from the end of the last backward pass to the end of the step
  StageLengths above;
  for (int stage = 0; stage < stages; ++stage) {
    const StageLengths s = lengths_of(work, stage);
    const int behind = stages - 1 - stage;
    const Seconds up = way.up - up_above - s.backward;  // from the last stage, to here
    const Seconds below = way.down - down - s.first_forward + up;
    const bool alternates = !all_first && count > behind + 1;
    // Of the zero-bubble schedule: weight gradients that run before the last backward pass.
    const Seconds filled = s.backward + s.weights;
    Seconds own = down + (count > 1 ? s.first_forward + (count - 2) * s.forward : Seconds{});
    if (alternates) {
      const Seconds start = std::max(s.first_forward + behind * s.forward, s.first_forward + below);
      own = down + start + s.backward + (count - 1 - (behind + 1)) * pace;
      own += stage == 0 ? s.weights : -std::min(stage - 1, count - 2 - behind) * s.weights;
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
  static_cast<void>(turn);
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
