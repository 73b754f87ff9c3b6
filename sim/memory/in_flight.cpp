#include "sim/memory/in_flight.hpp"

#include <algorithm>
#include <cassert>

namespace tofn {

int micro_batches_in_flight(const Plan& plan, int stage, int chunk) {
  const int stages = plan.pipeline_parallel_size;
  const int chunks = plan.chunks_per_stage;
  const int all = plan.gradient_accumulation;
  assert(stage >= 0 && stage < stages && chunk >= 0 && chunk < chunks);
  if (stages == 1) return 1;
  if (plan.schedule == PipelineSchedule::GPipe) return all;
  const int behind = stages - stage;
  if (chunks == 1) return std::min(all, behind);
  // Forward passes run in rounds: `stages` micro-batches of the first chunk, of the second, ...
  const int passes = std::min(2 * (behind - 1) + (chunks - 1) * stages + 1, all * chunks);
  const int round = stages * chunks;
  return passes / round * stages + std::clamp(passes % round - chunk * stages, 0, stages);
}

}  // namespace tofn
