#include <algorithm>

#include "sim/timeline/pipeline_length.hpp"

namespace tofn {
inline namespace timeline {
namespace {

/// Stage whose sends reach this stage; for the first stage that is the last one.
int stage_before(int stage, int stages) { return (stage > 0 ? stage : stages) - 1; }

/// Sums and means over the chunks of one stage.
struct StageOfChunks {
  Seconds busy;  ///< all passes of the step
  Seconds forward, backward, weights;
  StageLengths first;  ///< first chunk on the way of a micro-batch
};
StageOfChunks stage_of_chunks(const StepWork& work, int stage, const PassLengths& lengths) {
  StageOfChunks all;
  const int chunks = static_cast<int>(work.stages.front().size());
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const StageLengths& s = lengths.of(stage, chunk);
    if (chunk == 0) all.first = s;
    all.forward += s.forward;
    all.backward += s.backward;
    all.weights += s.weights;
    all.busy += pass_time(s, work.micro_batches);
  }
  all.forward /= chunks;
  all.backward /= chunks;
  all.weights /= chunks;
  return all;
}

/// Time that a stage waits for the stages behind it, which take `below` for one micro-batch there
/// and back. While the pipeline fills and drains, the stage's own passes hide some of that.
Seconds fill_and_drain(PipelineSchedule schedule, const StageOfChunks& s, int behind,
                       Seconds below) {
  if (traits_of(schedule).forwards_first) return below;
  return std::max(Seconds{}, below - behind * s.forward) +
         std::max(Seconds{}, below - behind * (s.backward + s.weights));
}

/// Time that filling and draining add because a group of micro-batches passes a chunk no faster
/// than one micro-batch passes all stages. The first and the last chunk count in the waiting for
/// stages behind and in the way up.
Seconds slow_groups(const StepWork& work, const PassLengths& lengths) {
  const int stages = static_cast<int>(work.stages.size());
  const int chunks = static_cast<int>(work.stages.front().size());
  const int group = std::min(work.micro_batches, group_size(shape_of(work)));
  Seconds added;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    Seconds way_down, way_up, down, up;
    for (int stage = 0; stage < stages; ++stage) {
      const StageLengths& s = lengths.of(stage, chunk);
      way_down += s.first_forward + lengths.sends.travel(stage);
      way_up += s.last_backward + lengths.sends.travel(stage_before(stage, stages));
      down = std::max(down, s.first_forward + (group - 1) * s.forward);
      up = std::max(up, s.last_backward + s.last_weights + (group - 1) * (s.backward + s.weights));
    }
    if (chunk + 1 < chunks) added += std::max(Seconds{}, way_down - down);
    if (chunk > 0) added += std::max(Seconds{}, way_up - up);
  }
  return added;
}

/// Time that waiting for longer chunks of other stages adds to the busiest stage. It is zero if
/// shorter chunks hide all of it; if they hide none, each chunk takes as long as on its slowest
/// stage. The value is midway between the two. Weight gradients that may run later fill the wait.
Seconds uneven_chunks(const StepWork& work, const PassLengths& lengths, Seconds busiest) {
  const int stages = static_cast<int>(work.stages.size());
  const int chunks = static_cast<int>(work.stages.front().size());
  if (traits_of(work.schedule).splits_backward) return {};
  Seconds lockstep;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    Seconds forward, backward;
    for (int stage = 0; stage < stages; ++stage) {
      const StageLengths& s = lengths.of(stage, chunk);
      forward = std::max(forward, s.forward);
      backward = std::max(backward, s.backward + s.weights);
    }
    lockstep += work.micro_batches * (forward + backward);
  }
  return std::max(Seconds{}, lockstep - busiest) / 2;
}

}  // namespace

/// Length of the longest path, which is for each stage s down(s) + busy(s) + waiting(s) + rest(s),
/// and the additions for slow groups and uneven chunks. With p stages, v chunks, m micro-batches
/// and passes F, B of a chunk (no sends or splits):
///   down(s) = down(s-1) + F(s-1), rest(s) = rest(s-1) + B(s-1), busy(s) = v m (F(s) + B(s));
///   below(s) = sum over r > s of F(r) + B(r);
///   waiting(s) = max(0, below(s) - (p-1-s) F(s)) + max(0, below(s) - (p-1-s) B(s)), alternating.
/// Example: p = 2, v = 2, m = 4, F = 1, B = 2. Stage 0 is busy for 24 and waits (3 - 1) + (3 - 2):
/// 27. Stage 1 starts at 1, is busy for 24, and stage 0 ends 2 later: 27 as well. This equals (v m
/// + p - 1)(F + B).
Seconds interleaved_length(const StepWork& work, const PassLengths& lengths) {
  const int stages = static_cast<int>(work.stages.size());
  Seconds below, down, rest, total, busiest;
  for (int stage = 0; stage < stages; ++stage) {
    const StageOfChunks s = stage_of_chunks(work, stage, lengths);
    below += s.forward + s.backward + 2 * lengths.sends.travel(stage_before(stage, stages));
    const auto passes = static_cast<double>(work.stages.front().size()) * work.micro_batches;
    busiest = std::max(busiest, passes * (s.forward + s.backward + s.weights));
  }
  const Seconds slow = slow_groups(work, lengths) + uneven_chunks(work, lengths, busiest);
  StageLengths above;
  for (int stage = 0; stage < stages; ++stage) {
    const StageOfChunks s = stage_of_chunks(work, stage, lengths);
    down = std::max(down, s.first.first_gather);
    const Seconds send = lengths.sends.travel(stage_before(stage, stages));
    below -= s.forward + s.backward + 2 * send;
    const Seconds end = s.first.tail + ending(work, stage);
    rest = stage > 0 ? std::max(end, above.last_backward + send + rest) : end;
    const Seconds waiting = fill_and_drain(work.schedule, s, stages - 1 - stage, below);
    total = std::max(total, down + s.busy + slow + waiting + rest);
    down += s.first.first_forward + lengths.sends.travel(stage);
    above = s.first;
  }
  return total;
}

}  // namespace timeline
}  // namespace tofn
