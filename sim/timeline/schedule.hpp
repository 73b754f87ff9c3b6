#pragma once

#include <cstdint>
#include <vector>

#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace timeline {

/// Kinds of pass. In schedules that split backward, `Backward` sends gradients to the stage before
/// and `WeightGradients` may run later. In the others `Backward` is both.
enum class PassKind : std::uint8_t { Forward, Backward, WeightGradients };
inline constexpr std::size_t pass_kinds = 3;

/// One pass of one chunk of a stage over one micro-batch.
struct Pass {
  PassKind kind = PassKind::Forward;
  int chunk = 0;
  int micro_batch = 0;
  /// True if a forward pass runs as one with the next pass, or a backward pass with the one before
  /// it, so that the compute of both hides the expert exchanges of either.
  bool paired = false;
  /// True if a backward pass includes its weight gradients although others are split.
  bool whole = false;
};

PipelineShape shape_of(const StepWork&);

/// Travel time from a virtual stage to the next one, or back; zero within a stage, or if sends take
/// no time.
Seconds send_time(const StepWork&, int virtual_stage);

/// Order in which a stage runs its passes. Interleaved 1F1B follows Narayanan et al., arXiv
/// 2104.04473, with a shorter last group if the stages do not divide the micro-batches. Zero-bubble
/// is ZB-H1 of Qi et al., arXiv 2401.10241: stage s runs weight gradients s passes late. zb-v is
/// the V schedule of the same paper; its order was written from memory of how PyTorch generates it
/// (ScheduleZBVZeroBubble) and was not compared with either. Eager 1F1B (arXiv 2211.05322) is 1F1B
/// with a longer warm-up; v-half is the V of arXiv 2405.15362 that holds half as much; dualpipe-v
/// is the V of DeepSeek's DualPipe.
std::vector<Pass> stage_order(const PipelineShape&, int stage);

}  // namespace timeline
}  // namespace tofn
