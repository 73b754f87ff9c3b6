#include "sim/timeline/pipeline_length.hpp"

#include <algorithm>

#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace timeline {
namespace {

/// The steady state of a pipeline: seconds per micro-batch, the neighbouring stages over which that
/// is a mean, and their weight gradients.
struct Pace {
  Seconds time;
  int first = 0;
  int stages = 1;
  Seconds weights;
  Seconds travel;  ///< sends between these stages, one way
};

/// Steady pace of a pipeline: the largest mean over neighbouring stages of their passes and the
/// sends between them. If `n` stages alternate, a micro-batch goes down and up before the n-th one
/// after it may start. With passes F, B and the send into a stage t, over neighbours a..b:
///   pace = max over a <= b of (sum of F + B over a..b + 2 sum of t over a+1..b) / (b - a + 1).
/// Example: two stages of F = 1, B = 2 and t = 1: 3 alone, (3 + 3 + 2) / 2 = 4 together.
/// Dinkelbach's iteration (1967) finds it: the best window under a guess gives the next guess.
Pace steady_pace(const StepWork& work, const PassLengths& lengths) {
  const int stages = static_cast<int>(work.stages.size());
  constexpr int rounds = 64;  // a few are enough
  Pace pace;
  for (int round = 0; round < rounds; ++round) {
    Seconds best, gain;
    Pace window, found;
    for (int stage = std::max(0, stages + 1 - work.micro_batches); stage < stages; ++stage) {
      const StageLengths& s = lengths.of(stage);
      const Seconds both = s.forward + s.backward;
      const Seconds send = stage > 0 ? lengths.sends.travel(stage - 1) : Seconds{};
      const Seconds joined = gain + both + 2 * send - pace.time;
      gain = both + s.weights - pace.time;
      if (window.time > Seconds{} && joined > gain) {
        gain = joined;
        window.time += both + 2 * send;
        window.travel += send;
        ++window.stages;
      } else {
        window = {both + s.weights, stage, 1, s.weights, {}};
      }
      if (gain <= best) continue;
      best = gain;
      found = window;
      found.time /= window.stages;
    }
    if (found.time <= pace.time * (1 + 1e-12)) break;
    pace = found;
  }
  return pace;
}

/// Time of `count` micro-batches at the steady pace, of which `less` have no weight gradients yet.
/// Stages behind the slowest window run at their own pace, because it feeds them.
Seconds steady_time(const Pace& pace, const StageLengths& s, int stage, int count, int less) {
  const Seconds own = count * (s.forward + s.backward + s.weights) - less * s.weights;
  if (stage > pace.first) return own;
  const Seconds send = pace.travel / std::max(1, pace.stages - 1);
  // If the window does not divide the count, a last window is passed in part.
  const int whole = (count + pace.stages - 1) / pace.stages;
  const double part = whole - static_cast<double>(count) / pace.stages;
  return std::max(own, count * pace.time - less * pace.weights - 2 * part * send);
}

/// Paths through a pipeline, stage by stage from the first one on.
class Descent {
 public:
  Descent(const StepWork& work, const PassLengths& lengths) : work_(work), sends_(lengths.sends) {
    for (int stage = 0; stage < static_cast<int>(work.stages.size()); ++stage) {
      const StageLengths& s = lengths.of(stage);
      const Seconds send = stage > 0 ? lengths.sends.travel(stage - 1) : Seconds{};
      way_down_ += s.first_forward + send;
      way_up_ += s.backward + send;
    }
  }

  /// Moves on to a stage, where the first forward pass starts after `down`.
  void enter(int stage, const StageLengths& s) {
    const Seconds send = stage > 0 ? sends_.travel(stage - 1) : Seconds{};
    if (stage > 0) {
      down += here_.first_forward + send;
      up_ += here_.backward + send;
      last_forward += (work_.micro_batches > 1 ? here_.forward : here_.first_forward) + send;
    }
    down = std::max(down, s.first_gather);
    const int late = std::min(stage + 1, work_.micro_batches) - 1;
    const Seconds end = late * s.weights + s.last_weights + s.tail + ending(work_, stage);
    rest = stage > 0 ? std::max(end, here_.last_backward + send + rest) : end;
    here_ = s;
  }
  /// Delays the start of the last forward pass here to `own` at least.
  void hold(Seconds own) { last_forward = std::max(last_forward, own); }
  /// Time from the last stage's first backward pass to the start of this stage's.
  Seconds up() const { return way_up_ - up_ - here_.backward; }
  /// Time from the end of this stage's first forward pass to the start of its first backward pass.
  Seconds below() const { return way_down_ - down - here_.first_forward + up(); }
  /// Time of this stage's forward passes before the last one.
  Seconds forwards() const {
    const int count = work_.micro_batches;
    return count > 1 ? here_.first_forward + (count - 2) * here_.forward : Seconds{};
  }

  Seconds down, last_forward;
  Seconds rest;  ///< from the end of the last backward pass here to the end of the step

 private:
  const StepWork& work_;
  Sends sends_;
  Seconds way_down_, way_up_, up_;
  StageLengths here_;
};

/// Length of a step that runs all forward passes, then all backward passes: the slowest stage sets
/// the pace of each. With p stages, m micro-batches and passes F, B on each stage, stage s (no
/// sends or splits):
///   down(s) = down(s-1) + F(s-1), its first F;
///   last(s) = max(last(s-1) + F(s-1), down(s) + (m-1) F(s)), its last F;
///   turn    = last(p-1) + F(p-1), where the first B starts;
///   length  = turn + max over s of m B(s) + sum of B(r) over r other than s.
/// Example: p = 2, m = 4, F = 1, B = 2. last(0) = 3, last(1) = max(4, 1 + 3) = 4, turn = 5. Either
/// stage runs 4 B and waits for one B of the other: 5 + 8 + 2 = 15, as (m + p - 1)(F + B).
Seconds length_of_gpipe(const StepWork& work, const PassLengths& lengths) {
  const int stages = static_cast<int>(work.stages.size());
  Descent forward(work, lengths);
  StageLengths s;
  for (int stage = 0; stage < stages; ++stage) {
    s = lengths.of(stage);
    forward.enter(stage, s);
    forward.hold(forward.down + forward.forwards());
  }
  const Seconds turn =
      forward.last_forward + (work.micro_batches > 1 ? s.forward : s.first_forward);
  Descent backward(work, lengths);
  Seconds total;
  for (int stage = 0; stage < stages; ++stage) {
    s = lengths.of(stage);
    backward.enter(stage, s);
    const Seconds passes = (work.micro_batches - 1) * s.backward + s.last_backward;
    total = std::max(total, turn + backward.up() + passes + backward.rest);
  }
  return total;
}

/// Length of a step whose passes alternate: the longest of a few kinds of path. A path goes down to
/// a stage, through that stage's passes or to and fro at the steady pace, and up again to the stage
/// that ends last.
///
/// Notation: p stages, m micro-batches, passes F, B on each stage, stage s (no sends or splits).
///   down(s) = down(s-1) + F(s-1), and there(s) = down(s) + F(s) + sum over r > s of F(r) + B(r);
///   last(s) = max(last(s-1) + F(s-1), there(s) + B(s) + (m-2 - (p-1-s)) * pace), its last F;
///   rest(s) = rest(s-1) + B(s-1);
///   length  = max over s of last(s) + F(s) + (p-1-s) * B(s) + B(s) + rest(s).
/// Example: p = 2, m = 4, F = 1, B = 2, pace 3. there(0) = 4, last(0) = 4 + 2 + 1 * 3 = 9, and its
/// path ends at 9 + 1 + 2 + 2 = 14. last(1) = 10, and its path ends at 10 + 1 + 2 + rest(1) = 2: at
/// 15, as (m + p - 1)(F + B).
Seconds length_of_alternation(const StepWork& work, const PassLengths& lengths) {
  const int stages = static_cast<int>(work.stages.size());
  const int count = work.micro_batches;
  const Pace pace = steady_pace(work, lengths);
  Descent path(work, lengths);
  Seconds total;
  for (int stage = 0; stage < stages; ++stage) {
    const StageLengths& s = lengths.of(stage);
    path.enter(stage, s);
    const int behind = stages - 1 - stage;
    const int steady = count - 2 - behind;
    const Seconds there_and_back = path.down + s.first_forward + path.below();
    if (steady >= 0) {
      const Seconds passes = path.down + s.first_forward + behind * s.forward;
      path.hold(std::max(passes, there_and_back) + s.backward +
                (stage == 0 ? s.weights : Seconds{}) +
                steady_time(pace, s, stage, steady, std::clamp(stage - 1, 0, steady)));
    } else {
      path.hold(path.down + path.forwards());
    }
    // Passes between the last forward and the last backward pass; weight gradients run `stage`
    // late.
    const int gradients = std::max(0, count - 1 - stage) - std::max(0, steady + 1 - stage);
    const Seconds between = std::min(behind, count - 1) * s.backward + gradients * s.weights;
    const Seconds forward = count > 1 ? s.forward : s.first_forward;
    const Seconds start =
        std::max(path.last_forward + forward, steady < 0 ? there_and_back : Seconds{});
    total = std::max(total, start + between + s.last_backward + path.rest);
  }
  return total;
}

}  // namespace

Seconds ending(const StepWork& work, int stage) {
  const auto given = [&](const std::vector<Seconds>& times) {
    return times.empty() ? Seconds{} : times[static_cast<std::size_t>(stage)];
  };
  return given(work.after) + given(work.optimizer);
}

Seconds pass_time(const StageLengths& s, int micro_batches) {
  return s.first_forward + s.last_backward + s.last_weights +
         (micro_batches - 1) * (s.forward + s.backward + s.weights);
}

/// Length of a step whose order settles: T(m) = T(3 p) + (m - 3 p) pace for m micro-batches on p
/// stages. T up to 3 p comes from the events, and the pace is the busiest stage's compute time for
/// one micro-batch.
/// Example: zb-v on p = 2, all passes 1. T(6) = 37 and a stage is busy for 6, so that T(8) = 49: m
/// x 6 and the way down.
Seconds settled_length(const StepWork& work, const PassLengths& lengths) {
  const int stages = static_cast<int>(work.stages.size());
  const int chunks = static_cast<int>(work.stages.front().size());
  StepWork few = work;
  few.micro_batches = std::min(work.micro_batches, 3 * stages);
  few.rank_noise = 0;
  if (lengths.sends.of == nullptr) few.send.clear();
  Seconds pace;
  for (int stage = 0; stage < stages; ++stage) {
    Seconds busy;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const StageLengths& s = lengths.of(stage, chunk);
      busy += s.forward + s.backward + s.weights;
    }
    pace = std::max(pace, busy);
  }
  return simulate(few).total + (work.micro_batches - few.micro_batches) * pace;
}

/// Length of a step at the pace of its last events: T(m) = T(4 p) + (m - 4 p) pace with pace = (T(4
/// p) - T(3 p)) / p, and T up to 4 p from the events.
/// Example: eager 1F1B on p = 2, F = 1, B = 2. T(8) = 27 and T(6) = 21, the pace is 3, so that
/// T(10) = 33, as (m + p - 1)(F + B).
Seconds paced_length(const StepWork& work, const PassLengths& lengths) {
  const int stages = static_cast<int>(work.stages.size());
  const auto length_of = [&](int micro_batches) {
    StepWork few = work;
    few.micro_batches = micro_batches;
    few.rank_noise = 0;
    if (lengths.sends.of == nullptr) few.send.clear();
    return simulate(few).total;
  };
  const int run = 4 * stages;
  if (work.micro_batches <= run) return length_of(work.micro_batches);
  const Seconds whole = length_of(run);
  const Seconds pace = (whole - length_of(run - stages)) / stages;
  return whole + (work.micro_batches - run) * pace;
}

Seconds pipeline_length(const StepWork& work, const PassLengths& lengths) {
  const LengthForm form = traits_of(work.schedule).length;
  if (form == LengthForm::Settled) return settled_length(work, lengths);
  if (form == LengthForm::Paced) return paced_length(work, lengths);
  if (work.stages.front().size() > 1) return interleaved_length(work, lengths);
  return form == LengthForm::AllForward ? length_of_gpipe(work, lengths)
                                        : length_of_alternation(work, lengths);
}

}  // namespace timeline
}  // namespace tofn
