#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/communicator.hpp"
#include "sim/cluster/precision.hpp"
#include "sim/parallelism/optimizer_kind.hpp"
#include "sim/parallelism/pipeline_schedule.hpp"
#include "sim/parallelism/plan_choices.hpp"
#include "sim/parallelism/recompute_modules.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace parallelism {

/// Number of layers on each virtual stage of a pipeline; empty: spread evenly.
struct StageLayers {
  std::vector<int> counts{};

  bool is_stated() const { return !counts.empty(); }
  friend bool operator==(const StageLayers&, const StageLayers&) = default;
};
/// Text such as `7 + 14 x 8 + 7`.
std::string to_text(const StageLayers&);

inline const auto& names_of(PipelineSchedule) { return pipeline_schedules; }

/// Division of work among the ranks of a job: accelerators = data * tensor * pipeline * context,
/// and global batch = micro_batch * data * gradient_accumulation. Expert-parallel ranks are a part
/// of `expert_sharers`.
struct Plan {
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int data_parallel_size = 1;
  int gradient_accumulation = 1;
  double micro_batch = 1;  ///< samples per replica and pass

  int expert_parallel_size = 1;
  /// True if each expert is on a single rank, so that expert-parallel ranks include those of tensor
  /// groups (Megatron-LM: --expert-tensor-parallel-size 1); otherwise tensor groups split each
  /// expert.
  bool whole_experts = false;
  ExpertDispatch expert_dispatch = ExpertDispatch::AllToAll;
  bool fp8_dispatch = false;  ///< tokens to experts, and gradients to them, in 8 bits
  /// True if the exchanges of one micro-batch's pass overlap the compute of another's pass in the
  /// other direction (Megatron-LM: --overlap-moe-expert-parallel-comm).
  bool expert_overlap = false;
  int chunks_per_stage = 1;  ///< chunks of layers: interleaving
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  bool sequence_parallel = false;  ///< all-gather and reduce-scatter instead of all-reduce over tp
  bool tensor_overlap = false;     ///< tensor-parallel traffic overlaps its GEMMs
  ContextExchange context_exchange = ContextExchange::Ring;
  Recompute recompute = Recompute::None;
  RecomputeModules
      recompute_modules{};  ///< run again by selective recomputation; empty: the stack's
  int loss_chunks = 1;      ///< of the tokens; each goes through loss and backward in turn
  Sharded sharded = Sharded::Nothing;
  bool shards_in_domain = false;  ///< shards within scale-up domains, replicas between (HSDP)
  /// Number of neighbours, among ranks with the same parameters, that share one copy of the sharded
  /// state (HSDP); absent: all of them, or according to `shards_in_domain`.
  std::optional<int> shard_ranks{};
  bool data_overlap = true;  ///< gradients (and shards) overlap the passes
  /// True if parameters that the optimizer's shards updated are gathered during the next forward
  /// pass (ZeRO 1 and 2; Megatron-LM: --overlap-param-gather).
  bool parameter_overlap = false;
  /// True if sends of a pipeline overlap the next pass; otherwise stages wait for each one and its
  /// answer, which is the default of Megatron-LM and DeepSpeed.
  bool send_overlap = false;
  OptimizerKind optimizer = OptimizerKind::AdamW;
  bool offloads_optimizer = false;  ///< its state and its step are on the host
  // State that stays in memory between steps; absent: the default at the precision
  // (`default_state`).
  /// Format of parameters. In fp32 they are the optimizer's too, cast when passes gather them (FSDP
  /// 2); in fp8 there is no 16-bit copy beside the inputs of products in 8 bits or fewer.
  std::optional<KeptFormat> kept_parameters{};
  std::optional<KeptFormat> kept_gradients{};
  std::optional<KeptFormat> kept_master{};   ///< the optimizer's copy of parameters; None: no copy
  std::optional<KeptFormat> kept_moments{};  ///< each of the optimizer's two moments
  GradientCompression compression = GradientCompression::None;
  CudaGraphs cuda_graphs = CudaGraphs::None;
  std::optional<Compile> compile{};      ///< absent: the stack's default
  std::optional<Precision> precision{};  ///< of the products; absent: the model's
  /// Format in which they are sent between replicas; absent: the stack's.
  std::optional<Precision> gradient_precision{};
  std::optional<Precision> parameter_precision{};
  bool fp8_attention = false;         ///< for models in fp8 or fp4; otherwise 16 bit
  bool in_network_reduction = false;  ///< requests sums in the network's switches (SHARP)
  StageLayers stage_layers{};
  bool balanced_stages = false;  ///< spread by parameters, including the head's, not evenly
  /// Number that the job uses of each scale-up domain, if it takes several; absent: as its groups
  /// need (`placed_job`).
  std::optional<int> accelerators_per_domain{};

  int accelerators() const {
    return tensor_parallel_size * pipeline_parallel_size * context_parallel_size *
           data_parallel_size;
  }
  /// Accelerators that share one sample.
  int model_parallel_size() const { return accelerators() / data_parallel_size; }
  double global_batch() const { return micro_batch * data_parallel_size * gradient_accumulation; }
  /// True if passes are of whole samples, within rounding.
  bool has_whole_samples() const;
};

/// Virtual stage of a chunk: the model's part that it holds, counted in the order of a forward
/// pass.
inline int virtual_stage(const Plan& plan, ChunkPlace at) {
  return traits_of(plan.schedule).placement.virtual_stage(plan.pipeline_parallel_size, at);
}

/// Link from a virtual stage to the next one; absent if both are on one stage.
inline std::optional<int> link_after(const Plan& plan, int virtual_stage) {
  return traits_of(plan.schedule).placement.link_after(plan.pipeline_parallel_size, virtual_stage);
}

/// True if backward runs that part of a layer's forward pass again, for a stack whose default is
/// the attention core, like that of Megatron-LM.
constexpr bool recomputes(const Plan& plan, RecomputeModule module) {
  if (plan.recompute != Recompute::Selective) return false;
  return plan.recompute_modules.is_empty() ? module == RecomputeModule::CoreAttention
                                           : plan.recompute_modules.has(module);
}

/// True if both ends of the model are on one stage, which suits tied embeddings.
inline bool ends_share_a_stage(const Plan& plan) {
  const int stages = plan.pipeline_parallel_size;
  const ChunkPlacement& placement = traits_of(plan.schedule).placement;
  return placement.place_of(stages, stages * plan.chunks_per_stage - 1).stage ==
         placement.place_of(stages, 0).stage;
}

constexpr PipelineShape shape_of(const Plan& plan) {
  return {.schedule = plan.schedule,
          .stages = plan.pipeline_parallel_size,
          .chunks = plan.chunks_per_stage,
          .micro_batches = plan.gradient_accumulation,
          .pairs = plan.expert_overlap || traits_of(plan.schedule).pairs_passes};
}

/// True if each micro-batch's gradients are reduced after its backward pass, on pipelines too,
/// because a rank that holds only a shard has no place for whole sums. Otherwise ranks accumulate
/// gradients and reduce the sums.
constexpr bool reduces_each_micro_batch(const Plan& plan) {
  return plan.sharded >= Sharded::Gradients;
}

/// Number that must divide the number of micro-batches.
inline int micro_batch_multiple(const Plan& plan) {
  return runs_in_groups(plan.schedule, plan.chunks_per_stage) ? plan.pipeline_parallel_size : 1;
}

/// Returns the plan with the settings that a run states of its software.
Plan with_settings(Plan, const RunSettings&);

/// Requested sizes of a plan; the rest has default values.
struct PlanRequest {
  int accelerators = 1;
  double global_batch = 1;
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int gradient_accumulation = 1;
};
/// Makes a plan with `micro_batch` worked out and without options that have no effect at these
/// sizes (`without_idle_options`). InputError unless every size is at least 1, tp*pp*cp divides the
/// accelerators (the data-parallel size is the rest), every replica gets at least one sample per
/// pass (on average: a published batch need not divide evenly), and the rules of `check_plan` hold.
Plan make_plan(const PlanRequest&);
/// Makes a plan from a whole plan, whose data-parallel size and micro-batch are worked out.
Plan make_plan(Plan split, int accelerators, double global_batch);

/// Returns the plan without options that have no effect at its sizes: sequence parallelism at tp 1,
/// a schedule at pp 1, shards of one replica (`Need` of `PlanField`). Its steps are the same.
Plan without_idle_options(Plan);

/// Limits that a model sets; an absent or true one refuses nothing.
struct PlanLimits {
  std::optional<int> layers{};  ///< layers that a pipeline can spread
  bool has_ends = false;        ///< an embedding and a head, each of which may fill a virtual stage
  bool has_experts = true;
  bool has_attention = true;
};
/// InputError with the broken rule if no framework runs such a plan. Options without effect at the
/// plan's sizes are allowed, except chunks without a pipeline. Divisors of a model's dimensions are
/// checked by `layer_work`.
void check_plan(const Plan&, const PlanLimits& = {});
/// True if `check_plan` does not throw.
bool keeps_rules(const Plan&, const PlanLimits& = {});

// Ranks are numbered tensor first, then context, data, and pipeline (Megatron-LM's order
// tp-cp-dp-pp); expert-parallel ranks are neighbours among those of context and data.
RankSet tensor_ranks(const Plan&);
RankSet context_ranks(const Plan&);
/// Ranks with the same parameters: data and context parallel ones reduce gradients together.
RankSet gradient_ranks(const Plan&);
/// Number of ranks of a stage that may share its experts: those of data and context, and of tensor
/// if experts are whole.
int expert_sharers(const Plan&);
/// Ranks that share a layer's experts; `expert_gradient_ranks` hold the same experts. InputError if
/// ep does not divide `expert_sharers`.
RankSet expert_ranks(const Plan&);
RankSet expert_gradient_ranks(const Plan&);
/// True if groups of the ranks with the same parameters each have a copy of the sharded state.
inline bool shards_in_groups(const Plan& plan) { return plan.shard_ranks || plan.shards_in_domain; }
/// Number of the ranks with the same parameters that share one copy of the sharded state, if a
/// scale-up domain has `domain` accelerators.
int sharing_ranks(const Plan&, RankSet holders, int domain);
/// One rank of each pipeline stage.
RankSet pipeline_ranks(const Plan&);

}  // namespace parallelism
}  // namespace tofn
