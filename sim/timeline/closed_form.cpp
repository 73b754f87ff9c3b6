#include <algorithm>

#include "sim/timeline/account.hpp"
#include "sim/timeline/pipeline_length.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace timeline {
namespace {

constexpr int kinds = 3;

/// Adds a chunk's passes to the account of its stage; what data communication adds to their length
/// is exposed. Returns how long its passes take.
StageLengths add_chunk(const StepWork& work, int stage_index, int chunk_index, StageDoings& stage) {
  const ChunkTimes& chunk =
      work.stages[static_cast<std::size_t>(stage_index)][static_cast<std::size_t>(chunk_index)];
  const bool split = traits_of(work.schedule).splits_backward;
  const int count = work.micro_batches;
  Seconds alone;
  Seconds travelling;
  for (int kind = 0; kind < (split ? kinds : kinds - 1); ++kind) {
    const PassKind which{static_cast<std::uint8_t>(kind)};
    const PassTimes pass = undisturbed(chunk, which, split, work.slowdown);
    for (std::size_t i = 0; i < pass.parts.size(); ++i) stage.parts[i] += count * pass.parts[i];
    alone += count * pass.length;
    travelling += pass.gather + pass.reduce;
    const bool again = work.gathers_each_micro_batch;
    const int gathers = again ? count : (which == PassKind::Forward ? 1 : 0);
    const int reduces = work.reduces_each_micro_batch ? count : 1;
    stage.communication +=
        count * pass.communication + gathers * pass.gather + reduces * pass.reduce;
  }
  const StageLengths lengths = stage_lengths(work, stage_index, chunk_index, {});
  if (travelling > Seconds{})  // without it the difference is a rounding error
    part(stage.parts, StepPart::Data) += std::max(Seconds{}, pass_time(lengths, count) - alone);
  return lengths;
}

StageDoings doings_of(const StepWork& work, std::size_t stage) {
  StageDoings doings;
  const auto& chunks = work.stages[stage];
  const int index = static_cast<int>(stage);
  const StageLengths first = add_chunk(work, index, 0, doings);
  for (int i = 1; i < static_cast<int>(chunks.size()); ++i) add_chunk(work, index, i, doings);
  part(doings.parts, StepPart::Data) += first.tail;
  if (stage == 0) part(doings.parts, StepPart::Data) += first.first_gather;
  if (!work.after.empty()) {
    part(doings.parts, StepPart::Data) += work.after[stage];
    doings.communication += work.after[stage];
  }
  if (!work.optimizer.empty()) part(doings.parts, StepPart::Optimizer) = work.optimizer[stage];
  const std::size_t stages = work.stages.size();
  if (stages == 1 || work.send.empty()) return doings;
  const auto count = static_cast<double>(chunks.size());
  const std::size_t before = (stage > 0 ? stage : stages) - 1;
  doings.communication += work.micro_batches * ((count - (stage == stages - 1)) * work.send[stage] +
                                                (count - (stage == 0)) * work.send[before]);
  return doings;
}

}  // namespace

StepTimes closed_form(const StepWork& work) {
  StageDoings slowest;
  for (std::size_t stage = 0; stage < work.stages.size(); ++stage) {
    const StageDoings doings = doings_of(work, stage);
    if (stage == 0 || busy_time(doings.parts) > busy_time(slowest.parts)) slowest = doings;
  }
  const double excess = slowest_replica_excess(work, std::nullopt);
  // One stage with one chunk waits for nobody else.
  if (work.stages.size() == 1 && work.stages.front().size() == 1)
    return account(slowest, slowest.parts, excess, work.bases);
  const bool sends = work.stages.size() > 1 && !work.send.empty();
  const Seconds without = pipeline_length(work, {});
  const Seconds length =
      sends ? pipeline_length(work, {.times = work.send, .overlap = work.send_overlap}) : without;
  const Seconds added = length - without;
  const Seconds waiting = std::max(Seconds{}, length - busy_time(slowest.parts));
  const Seconds pipeline = std::clamp(added, Seconds{}, waiting);
  part(slowest.parts, StepPart::Pipeline) = pipeline;
  slowest.waiting = waiting - pipeline;
  return account(slowest, slowest.parts, excess, work.bases);
}

}  // namespace timeline
}  // namespace tofn
