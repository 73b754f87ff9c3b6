#pragma once

#include <cstdint>
#include <vector>

#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace timeline {

/// Schedules that split backward: `Backward` hands gradients on to the stage before,
/// `WeightGradients` may run later. Under the others `Backward` is both.
enum class PassKind : std::uint8_t { Forward, Backward, WeightGradients };
inline constexpr std::size_t pass_kinds = 3;

/// One pass of one chunk of a stage over one micro-batch.
struct Pass {
  PassKind kind = PassKind::Forward;
  int chunk = 0;
  int micro_batch = 0;
  /// With the next pass, of a forward one, or that before it: they run as one, so that exchanges of
  /// experts in either are hidden by the compute of both.
  bool paired = false;
  bool whole = false;  ///< of a backward one: with its weight gradients, where others are split
};

PipelineShape shape_of(const StepWork&);

/// How long what a virtual stage sends to the next one, or gets back from there, travels; no time
/// within a stage, and where sends take none.
Seconds send_time(const StepWork&, int virtual_stage);

/// The order in which a stage runs its passes. 1F1B interleaved as in Narayanan et al.,
/// arXiv 2104.04473, with a shorter last group where the stages do not divide the micro-batches;
/// zero-bubble is ZB-H1 of Qi et al., arXiv 2401.10241: stage s runs weight gradients s passes
/// late. zb-v is the V schedule of the same paper, its order from memory of how PyTorch generates
/// it (ScheduleZBVZeroBubble): not held against either. Eager 1F1B (arXiv 2211.05322) is 1F1B with
/// a longer warm-up; v-half is the V of arXiv 2405.15362 that holds half as much; dualpipe-v is the
/// V of DeepSeek's DualPipe.
std::vector<Pass> stage_order(const PipelineShape&, int stage);

}  // namespace timeline
}  // namespace tofn
