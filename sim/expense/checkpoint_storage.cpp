#include "sim/expense/checkpoint_storage.hpp"

#include <algorithm>
#include <cassert>

namespace tofn {
inline namespace expense {

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

}  // namespace expense
}  // namespace tofn
