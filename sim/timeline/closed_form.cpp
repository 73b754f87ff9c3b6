#include <algorithm>

#include "sim/timeline/account.hpp"
#include "sim/timeline/pipeline_length.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace timeline {
namespace {

/// Adds a chunk's passes to the account of its stage. The time that data communication adds to them
/// is exposed.
void add_chunk(const StepWork& work, const PassWalks& walks, const StageLengths& lengths,
               int stage_index, int chunk, StageActivity& stage) {
  const bool split = traits_of(work.schedule).splits_backward;
  const int count = work.micro_batches;
  Seconds alone;
  Seconds travelling;
  for (std::size_t kind = 0; kind < (split ? pass_kinds : pass_kinds - 1); ++kind) {
    const auto which = static_cast<PassKind>(kind);
    const PassTimes& pass = walks.undisturbed(stage_index, chunk, which);
    for (std::size_t i = 0; i < pass.parts.size(); ++i) stage.parts[i] += count * pass.parts[i];
    alone += count * pass.length;
    travelling += pass.gather + pass.reduce;
    const bool again = work.gathers_each_micro_batch;
    const int gathers = again ? count : (which == PassKind::Forward ? 1 : 0);
    const int reduces = work.reduces_each_micro_batch ? count : 1;
    stage.communication +=
        count * pass.communication + gathers * pass.gather + reduces * pass.reduce;
  }
  if (travelling > Seconds{})  // otherwise the difference is a rounding error
    part(stage.parts, StepPart::Data) += std::max(Seconds{}, pass_time(lengths, count) - alone);
}

StageActivity activity_of(const StepWork& work, const PassWalks& walks, const PassLengths& lengths,
                          std::size_t stage) {
  StageActivity activity;
  const auto& chunks = work.stages[stage];
  const int index = static_cast<int>(stage);
  for (int i = 0; i < static_cast<int>(chunks.size()); ++i)
    add_chunk(work, walks, lengths.of(index, i), index, i, activity);
  const StageLengths& first = lengths.of(index);
  part(activity.parts, StepPart::Data) += first.tail;
  if (stage == 0) part(activity.parts, StepPart::Data) += first.first_gather;
  if (!work.after.empty()) {
    part(activity.parts, StepPart::Data) += work.after[stage];
    activity.communication += work.after[stage];
  }
  if (!work.optimizer.empty()) part(activity.parts, StepPart::Optimizer) = work.optimizer[stage];
  return activity;
}

/// Time of a stage's sends: activations to the next virtual stages, and gradients back.
Seconds sends_of(const StepWork& work, int stage) {
  const PipelineShape shape = shape_of(work);
  const ChunkPlacement& placement = traits_of(work.schedule).placement;
  Seconds sum;
  for (int chunk = 0; chunk < shape.chunks; ++chunk) {
    const int part = placement.virtual_stage(shape.stages, {stage, chunk});
    if (part + 1 < shape.stages * shape.chunks) sum += send_time(work, part);
    if (part > 0) sum += send_time(work, part - 1);
  }
  return work.micro_batches * sum;
}

/// Returns a + times (b - c), part by part.
StepTimes extended(StepTimes a, double times, const StepTimes& b, const StepTimes& c) {
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    a.parts[i] = std::max(Seconds{}, a.parts[i] + times * (b.parts[i] - c.parts[i]));
  }
  a.communication += times * (b.communication - c.communication);
  a.total = sum(a.parts);
  return a;
}

/// Parts of a stage without waiting for others.
PartTimes own_parts(const StepTimes& stage) {
  PartTimes parts = stage.parts;
  part(parts, StepPart::Bubble) = part(parts, StepPart::Imbalance) = Seconds{};
  return parts;
}

/// Step times if passes run in pairs: the events of four micro-batches per stage, and then the pace
/// of the last of them, for each part of each stage.
StepTimes paced_times(const StepWork& work) {
  const int count = static_cast<int>(work.stages.size());
  const int run = 4 * count;
  if (work.micro_batches <= run) return simulate(work);
  const auto few = [&](int micro_batches) {
    StepWork some = work;
    some.micro_batches = micro_batches;
    return simulate_stages(some);
  };
  const std::vector<StepTimes> whole = few(run);
  const std::vector<StepTimes> less = few(run - count);
  SlowestReplica replica(work, std::nullopt);
  StepTimes slowest;
  for (std::size_t stage = 0; stage < whole.size(); ++stage) {
    const StepTimes times =
        extended(whole[stage], 1.0 * (work.micro_batches - run) / count, whole[stage], less[stage]);
    replica.add(stage, own_parts(times));
    if (busy_time(own_parts(times)) > busy_time(own_parts(slowest))) slowest = times;
  }
  // The step ends when all stages end, however much the slowest one's own parts grew.
  const double more = 1.0 * (work.micro_batches - run) / count;
  const Seconds end = whole[0].total + more * (whole[0].total - less[0].total);
  part(slowest.parts, StepPart::Bubble) = Seconds{};
  part(slowest.parts, StepPart::Bubble) = std::max(Seconds{}, end - sum(slowest.parts));
  part(slowest.parts, StepPart::Imbalance) += replica.wait();
  slowest.total = sum(slowest.parts);
  return slowest;
}

}  // namespace

StepTimes closed_form(const StepWork& work) {
  if (shape_of(work).pairs) return paced_times(work);
  PassWalks walks(work);
  const PassLengths without_sends = walks.lengths({});
  StageActivity slowest;
  SlowestReplica replica(work, std::nullopt);
  for (std::size_t stage = 0; stage < work.stages.size(); ++stage) {
    StageActivity activity = activity_of(work, walks, without_sends, stage);
    activity.communication += sends_of(work, static_cast<int>(stage));
    replica.add(stage, activity.parts);
    if (stage == 0 || busy_time(activity.parts) > busy_time(slowest.parts)) slowest = activity;
  }
  // One stage with one chunk waits for no other.
  if (work.stages.size() == 1 && work.stages.front().size() == 1)
    return account(slowest, slowest.parts, replica.wait(), work.bases);
  const bool has_sends = work.stages.size() > 1 && !work.send.empty();
  const Seconds without = pipeline_length(work, without_sends);
  const Seconds length = has_sends ? pipeline_length(work, walks.lengths({.of = &work})) : without;
  const Seconds added = length - without;
  const Seconds waiting = std::max(Seconds{}, length - busy_time(slowest.parts));
  const Seconds pipeline = std::clamp(added, Seconds{}, waiting);
  part(slowest.parts, StepPart::Pipeline) = pipeline;
  slowest.waiting = waiting - pipeline;
  return account(slowest, slowest.parts, replica.wait(), work.bases);
}

}  // namespace timeline
}  // namespace tofn
