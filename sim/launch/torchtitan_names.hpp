#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "sim/launch/launch_stack.hpp"

// What torchtitan's keys are called in each of its versions.

namespace tofn {
inline namespace launch {

/// torch.distributed.pipelining's schedules: stages of a rank are two where they interleave.
struct TitanSchedule {
  std::string_view name;
  std::string_view schedule;
  int chunks;
};
inline constexpr std::array<TitanSchedule, 6> titan_schedules{{{"1F1B", "1f1b", 1},
                                                               {"GPipe", "gpipe", 1},
                                                               {"Interleaved1F1B", "1f1b", 2},
                                                               {"LoopedBFS", "breadth-first", 2},
                                                               {"ZBVZeroBubble", "zb-v", 2},
                                                               {"DualPipeV", "dualpipe-v", 2}}};

inline constexpr std::array<std::pair<std::string_view, Precision>, 3> titan_formats{
    {{"bfloat16", Precision::Bf16}, {"float16", Precision::Fp16}, {"float32", Precision::Fp32}}};
inline constexpr std::array<std::pair<std::string_view, KeptFormat>, 2> titan_kept{
    {{"float32", KeptFormat::Fp32}, {"bfloat16", KeptFormat::Bf16}}};
inline constexpr std::array<std::pair<std::string_view, ContextExchange>, 2> titan_exchanges{
    {{"allgather", ContextExchange::AllGather}, {"alltoall", ContextExchange::Ring}}};
inline constexpr std::array<std::pair<std::string_view, OptimizerKind>, 2> titan_optimizers{
    {{"AdamW", OptimizerKind::AdamW}, {"Adam", OptimizerKind::Adam}}};
inline constexpr std::array<std::pair<std::string_view, Recompute>, 3> titan_recompute{
    {{"none", Recompute::None}, {"selective", Recompute::Selective}, {"full", Recompute::Full}}};

inline constexpr std::array<std::pair<std::string_view, ExpertDispatch>, 3> titan_dispatchers{
    {{"standard", ExpertDispatch::AllToAll},
     {"deepep", ExpertDispatch::DeepEp},
     {"hybridep", ExpertDispatch::HybridEp}}};

PipelineSchedule titan_schedule_named(std::string_view name);
/// Schedule and chunks of the key that both versions have.
void read_titan_pipeline(const LaunchValues&, Plan&);
/// Whether layers are compiled: those of a file that compiles its loss alone are not.
void read_titan_compile(const LaunchValues&, Plan&);
/// Where passes do not gather parameters again, gradients are shards on one stage and whole on
/// pipelines: torchtitan/models/llama3/infra/parallelize.py.
void read_titan_sharding(const LaunchValues&, int accelerators_per_node, LaunchedTraining&);

}  // namespace launch
}  // namespace tofn
