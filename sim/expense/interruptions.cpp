#include "sim/expense/interruptions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tofn {
inline namespace expense {
namespace {

Seconds expected_segment(Seconds segment, const Interruptions& by) {
  const Seconds mean = by.mean_between;
  return mean * (std::exp(by.down() / mean) * std::expm1(segment / mean));
}

InterruptedRun with_interval(Seconds run, const Interruptions& by, Seconds interval) {
  constexpr double rounding = 1e-9;  // run / (run / 3) may slightly exceed 3
  const double checkpoints = std::max(0.0, std::ceil(run / interval - rounding) - 1);
  const Seconds last = run - checkpoints * interval;
  InterruptedRun result;
  result.expected = expected_segment(last, by);
  if (checkpoints > 0) {
    result.expected += checkpoints * expected_segment(interval + by.checkpoint, by);
    result.checkpoint_every = interval;
  }
  return result;
}

}  // namespace

CheckpointTimes checkpoint_times(const CheckpointStorage& storage, const CheckpointedJob& job) {
  assert(storage.is_known() && job.bytes.base() > 0);
  const bool is_gathered = storage.layout == CheckpointLayout::Gathered;
  const int nodes = is_gathered ? 1 : job.nodes;
  CheckpointTimes times;
  times.bytes = job.bytes;
  times.of_rank = job.bytes / (is_gathered ? 1 : job.accelerators);
  times.bandwidth = storage.node ? nodes * *storage.node : *storage.all;
  if (storage.all) times.bandwidth = std::min(times.bandwidth, *storage.all);
  times.write = job.bytes / times.bandwidth;
  times.read = times.write;
  times.blocks = staging_start + times.of_rank / std::min(staging_rate, job.host_link);
  if (storage.mode != CheckpointMode::Async) times.blocks += times.write;
  return times;
}

// Solves for x, the interval over mean_between, by Newton's method; d is the checkpoint's time over
// mean_between. The derivative of (e^(x+d) - 1) / x is zero at the root of x - 1 + e^-(x+d). This
// function is convex and grows from 1 - e^-d up, so that steps from above do not pass the root.
Seconds best_checkpoint_interval(const Interruptions& by) {
  assert(by.checkpoint > Seconds{} && by.mean_between > Seconds{});
  const double d = by.checkpoint / by.mean_between;
  double x = std::min(1.0, std::sqrt(2 * d));
  for (int step = 0; step < 50; ++step) {
    const double rest = std::expm1(-(x + d));
    const double next = x + (x + rest) / rest;
    if (!(next < x)) break;
    x = next;
  }
  return x * by.mean_between;
}

InterruptedRun interrupted(Seconds run, const Interruptions& by, std::optional<Seconds> interval) {
  if (std::isinf(by.mean_between.base())) return {.expected = run, .checkpoint_every = {}};
  if (interval) return with_interval(run, by, *interval);
  // The last segment has no checkpoint, so the best count is near that of endless runs, but not at
  // it.
  const Seconds typical = std::max(best_checkpoint_interval(by), by.least_interval);
  const double most = by.least_interval > Seconds{} ? run / by.least_interval : endless * endless;
  const double start = std::max(1.0, std::floor(run / typical));
  const auto split = [&](double count) { return with_interval(run, by, run / count); };
  InterruptedRun best = split(start);
  for (const double step : {-1.0, 1.0})
    for (double count = start + step; count >= 1 && count <= most; count += step) {
      const InterruptedRun next = split(count);
      if (!(next.expected < best.expected)) break;
      best = next;
    }
  return best;
}

}  // namespace expense
}  // namespace tofn
