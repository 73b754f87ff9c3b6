#include "sim/timeline/account.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/random.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace timeline {

namespace {

/// Excess of the slowest replica's time over the mean of all replicas, as a share.
double slowest_replica_excess(const StepWork& work, std::optional<std::uint64_t> seed) {
  const double count = std::clamp(std::round(work.replicas), 1.0, 1e9);
  if (work.rank_noise == 0 || count == 1) return 0;
  if (!seed) return work.rank_noise * expected_maximum(static_cast<int>(count));
  // The largest of n uniform numbers is distributed as U^(1/n).
  return work.rank_noise * normal_quantile(std::pow(Random(*seed).uniform(), 1 / count));
}

/// Launch time of a stage's passes over all micro-batches.
Seconds start_time(const StepWork& work, std::size_t stage) {
  Seconds sum;
  for (const ChunkTimes& chunk : work.stages[stage])
    for (const LayerTimes& layer : chunk.layers())
      sum += layer.count * (layer.forward.launch + layer.backward.launch);
  return work.micro_batches * sum;
}

}  // namespace

SlowestReplica::SlowestReplica(const StepWork& work, std::optional<std::uint64_t> seed)
    : work_(work), excess_(slowest_replica_excess(work, seed)) {}

void SlowestReplica::add(std::size_t stage, const PartTimes& parts) {
  if (excess_ == 0) return;
  const Seconds busy = busy_time(parts);
  const Seconds excess = excess_ * (part(parts, StepPart::Compute) + start_time(work_, stage));
  busiest_ = std::max(busiest_, busy);
  if (busy + excess > paced_.busy + paced_.excess) paced_ = {busy, excess};
}

Seconds busy_time(const PartTimes& parts) { return sum(parts) - part(parts, StepPart::Pipeline); }

StepTimes account(const StageActivity& stage, const PartTimes& slowest, Seconds for_slowest_replica,
                  const PartBases& bases) {
  StepTimes times{
      .total = {}, .parts = stage.parts, .communication = stage.communication, .bases = bases};
  const Seconds lighter = busy_time(slowest) - busy_time(stage.parts);
  const Seconds imbalance = std::clamp(lighter, Seconds{}, stage.waiting);
  part(times.parts, StepPart::Bubble) = stage.waiting - imbalance;
  part(times.parts, StepPart::Imbalance) = imbalance + for_slowest_replica;
  times.total = sum(times.parts);
  return times;
}

Cost StepTimes::cost(StepPart which) const {
  const Seconds time = part(parts, which);
  if (time == Seconds{}) return {};
  return {time, bases[static_cast<std::size_t>(which)]};
}

Cost StepTimes::cost() const {
  Cost sum;
  for (const auto& [name, which] : step_parts) sum += cost(which);
  return {total, sum.basis};
}

Cost StepTimes::exposed() const {
  Cost sum;
  for (const StepPart which : exposed_parts) sum += cost(which);
  return sum;
}

Seconds StepTimes::computation() const {
  return part(parts, StepPart::Compute) + part(parts, StepPart::Launch) +
         part(parts, StepPart::Optimizer);
}

StepTimes scaled(StepTimes times, double factor) {
  times.total = Seconds{};
  for (Seconds& part : times.parts) {
    part *= factor;
    times.total += part;
  }
  times.communication *= factor;
  return times;
}

Seconds StepTimes::waiting() const {
  return part(parts, StepPart::Bubble) + part(parts, StepPart::Imbalance);
}

}  // namespace timeline
}  // namespace tofn
