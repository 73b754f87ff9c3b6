#include "sim/parallelism/pipeline_schedule.hpp"

#include <algorithm>

namespace tofn {
inline namespace parallelism {

bool runs_in_groups(PipelineSchedule schedule, int chunks) {
  return chunks > 1 && traits_of(schedule).chunk_order == ChunkOrder::Groups;
}

int group_size(const PipelineShape& shape) {
  return runs_in_groups(shape.schedule, shape.chunks) ? shape.stages : shape.micro_batches;
}

int warm_up_passes(const PipelineShape& shape, int stage) {
  const int passes = shape.chunks * shape.micro_batches;
  if (traits_of(shape.schedule).forwards_first) return passes;
  if (traits_of(shape.schedule).chunk_order == ChunkOrder::Alternate)
    return std::min(2 * shape.stages - 1, passes);
  const int behind = shape.stages - 1 - stage;
  const int wanted = shape.chunks == 1 ? behind : 2 * behind + (shape.chunks - 1) * shape.stages;
  return std::min(wanted, passes);
}

}  // namespace parallelism
}  // namespace tofn
