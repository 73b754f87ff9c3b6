#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/communicator.hpp"
#include "sim/cluster/precision.hpp"
#include "sim/parallelism/optimizer_kind.hpp"
#include "sim/parallelism/pipeline_schedule.hpp"
#include "sim/parallelism/recompute_modules.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace parallelism {

/// Which activations backward computes again: none, the attention core, or whole layers.
enum class Recompute { None, Selective, Full };
inline constexpr std::array<std::pair<std::string_view, Recompute>, 3> recompute_names{
    {{"none", Recompute::None}, {"selective", Recompute::Selective}, {"full", Recompute::Full}}};

/// What `Selective` is: the attention core (Megatron-LM, arXiv 2205.05198); or all but attention
/// and every second product, in their order q, k, v, out, gate, up, down (torchtitan: SelectiveAC,
/// per-op, of distributed/activation_checkpoint.py); or as MaxText's policies have it
/// (src/maxtext/layers/decoders.py): all but q, k, v and out; these and down; none of the layer, q,
/// k and v waiting on the host with its input. Layers of experts and of latent attention, whose
/// products are others, recompute the core.
enum class SelectiveRecompute {
  AttentionCore,
  EverySecondProduct,
  CoreAndMlp,
  CoreAndMlpInputs,
  Offloaded
};
inline constexpr std::array<std::pair<std::string_view, SelectiveRecompute>, 5>
    selective_recompute_names{{{"attention-core", SelectiveRecompute::AttentionCore},
                               {"every-second-product", SelectiveRecompute::EverySecondProduct},
                               {"core-and-mlp", SelectiveRecompute::CoreAndMlp},
                               {"core-and-mlp-inputs", SelectiveRecompute::CoreAndMlpInputs},
                               {"offloaded", SelectiveRecompute::Offloaded}}};
constexpr const auto& names_of(SelectiveRecompute) { return selective_recompute_names; }

/// What data-parallel ranks share out instead of holding it all: ZeRO 1, 2, 3. FSDP is `parameters`
/// where passes gather them each time (FULL_SHARD), and `gradients` where they stay whole between
/// them (SHARD_GRAD_OP, reshard_after_forward: false). Pipelines under FSDP that add up whole
/// gradients until the last micro-batch (torchtitan) are `optimizer`.
enum class Sharded { Nothing, Optimizer, Gradients, Parameters };
inline constexpr std::array<std::pair<std::string_view, Sharded>, 4> sharded_names{
    {{"nothing", Sharded::Nothing},
     {"optimizer", Sharded::Optimizer},
     {"gradients", Sharded::Gradients},
     {"parameters", Sharded::Parameters}}};

/// Of how many bytes an element of the training state is kept: 4, 2 (bf16 or fp16), 1, or none: of
/// master parameters, where the optimizer updates those that passes use.
enum class KeptFormat { Fp32, Bf16, Fp8, None };
inline constexpr std::array<std::pair<std::string_view, KeptFormat>, 4> kept_formats{
    {{"fp32", KeptFormat::Fp32},
     {"bf16", KeptFormat::Bf16},
     {"fp8", KeptFormat::Fp8},
     {"none", KeptFormat::None}}};
constexpr double bytes_of(KeptFormat format) {
  constexpr std::array<double, kept_formats.size()> bytes{4, 2, 1, 0};
  return bytes[static_cast<std::size_t>(format)];
}

/// How context-parallel ranks see each other's keys and values.
enum class ContextExchange { Ring, AllGather };
inline constexpr std::array<std::pair<std::string_view, ContextExchange>, 2> context_exchanges{
    {{"ring", ContextExchange::Ring}, {"all-gather", ContextExchange::AllGather}}};

/// How tokens reach the ranks of their experts: a copy for each expert, all ranks to all (NCCL;
/// Megatron-LM: --moe-token-dispatcher-type alltoall); or one to each node, or scale-up domain,
/// that holds any of them, and there one to each rank that does (DeepEP). HybridEP does likewise,
/// and its kernels put the copies in the order of experts themselves (Megatron-LM:
/// --moe-flex-dispatcher-backend). `two-level` is the former name of `deepep`.
enum class ExpertDispatch { AllToAll, DeepEp, HybridEp };
inline constexpr std::array<std::pair<std::string_view, ExpertDispatch>, 4> expert_dispatch_names{
    {{"all-to-all", ExpertDispatch::AllToAll},
     {"deepep", ExpertDispatch::DeepEp},
     {"hybridep", ExpertDispatch::HybridEp},
     {"two-level", ExpertDispatch::DeepEp}}};
constexpr bool has_two_levels(ExpertDispatch dispatch) {
  return dispatch != ExpertDispatch::AllToAll;
}

/// Whether a compiler fuses the operators of a layer (torch.compile), or each is launched as it is
/// written (eager).
enum class Compile { Off, On };
inline constexpr std::array<std::pair<std::string_view, Compile>, 2> compile_names{
    {{"off", Compile::Off}, {"on", Compile::On}}};

/// What gradients are made smaller by before they travel.
enum class GradientCompression { None, Int8, TopK, PowerSgd };
inline constexpr std::array<std::pair<std::string_view, GradientCompression>, 4> compression_names{
    {{"none", GradientCompression::None},
     {"int8", GradientCompression::Int8},
     {"top-k", GradientCompression::TopK},
     {"power-sgd", GradientCompression::PowerSgd}}};

/// How many layers each virtual stage of a pipeline holds; none stated: spread evenly.
struct StageLayers {
  std::vector<int> counts{};

  bool is_stated() const { return !counts.empty(); }
  friend bool operator==(const StageLayers&, const StageLayers&) = default;
};
/// `7 + 14 x 8 + 7`
std::string to_text(const StageLayers&);

// The table of an enum's names.
inline const auto& names_of(PipelineSchedule) { return pipeline_schedules; }
constexpr const auto& names_of(Recompute) { return recompute_names; }
constexpr const auto& names_of(Sharded) { return sharded_names; }
constexpr const auto& names_of(KeptFormat) { return kept_formats; }
constexpr const auto& names_of(ContextExchange) { return context_exchanges; }
constexpr const auto& names_of(ExpertDispatch) { return expert_dispatch_names; }
constexpr const auto& names_of(GradientCompression) { return compression_names; }
constexpr const auto& names_of(Compile) { return compile_names; }

/// How the ranks of a job share the work: accelerators = data * tensor * pipeline * context, and
/// global batch = micro_batch * data * gradient_accumulation. Expert-parallel ranks are some of
/// `expert_sharers`.
struct Plan {
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int data_parallel_size = 1;
  int gradient_accumulation = 1;
  double micro_batch = 1;  ///< samples per replica and pass

  int expert_parallel_size = 1;
  /// Each expert is one rank's, so that expert-parallel ranks are those of tensor groups too
  /// (Megatron-LM: --expert-tensor-parallel-size 1); else tensor groups split each.
  bool whole_experts = false;
  ExpertDispatch expert_dispatch = ExpertDispatch::AllToAll;
  bool fp8_dispatch = false;  ///< tokens to experts, and gradients to them, in 8 bits
  /// Exchanges of one micro-batch's pass are hidden by the compute of another's the other way
  /// (Megatron-LM: --overlap-moe-expert-parallel-comm).
  bool expert_overlap = false;
  int chunks_per_stage = 1;  ///< of layers: interleaving
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  bool sequence_parallel = false;  ///< all-gather and reduce-scatter in place of all-reduce over tp
  bool tensor_overlap = false;     ///< tensor-parallel traffic overlaps its GEMMs
  ContextExchange context_exchange = ContextExchange::Ring;
  Recompute recompute = Recompute::None;
  RecomputeModules
      recompute_modules{};  ///< run again by selective recomputation; empty: as the stack
  int loss_chunks = 1;      ///< of the tokens, each through head, loss and backward before the next
  Sharded sharded = Sharded::Nothing;
  bool shards_in_domain = false;  ///< within each scale-up domain, replicas between (HSDP)
  /// Neighbours among the ranks that hold the same that share one copy of what is sharded (HSDP);
  /// absent: all of them, or as `shards_in_domain` says.
  std::optional<int> shard_ranks{};
  bool data_overlap = true;  ///< gradients (and shards) overlap the passes
  /// Parameters that the optimizer's shards updated are gathered during the next forward pass (ZeRO
  /// 1 and 2; Megatron-LM: --overlap-param-gather).
  bool parameter_overlap = false;
  /// Sends of a pipeline travel beside the next pass; else stages wait for each one and its answer,
  /// as Megatron-LM and DeepSpeed do unless told otherwise.
  bool send_overlap = false;
  OptimizerKind optimizer = OptimizerKind::AdamW;
  bool offloads_optimizer = false;  ///< its state and its step are the host's
  // What stays in memory between steps; absent: as is usual at the precision (`default_state`).
  /// In fp32 they are the optimizer's too, cast as passes gather them (FSDP 2); in fp8 there is no
  /// 16-bit copy beside those that products in 8 bits or fewer take in.
  std::optional<KeptFormat> kept_parameters{};
  std::optional<KeptFormat> kept_gradients{};
  std::optional<KeptFormat> kept_master{};   ///< the optimizer's own parameters, none: no others
  std::optional<KeptFormat> kept_moments{};  ///< each of the optimizer's two
  GradientCompression compression = GradientCompression::None;
  CudaGraphs cuda_graphs = CudaGraphs::None;
  std::optional<Compile> compile{};      ///< absent: as the stack runs
  std::optional<Precision> precision{};  ///< of the products; absent: the model's
  /// As they travel between replicas; absent: as the stack sends them.
  std::optional<Precision> gradient_precision{};
  std::optional<Precision> parameter_precision{};
  bool fp8_attention = false;         ///< of a model in fp8 or fp4; else 16 bit
  bool in_network_reduction = false;  ///< asks the network's switches for sums (SHARP)
  StageLayers stage_layers{};
  bool balanced_stages = false;  ///< spread by their parameters, the head's too, not evenly
  /// Of each scale-up domain, where the job takes several; absent: as its groups need
  /// (`placed_job`).
  std::optional<int> accelerators_per_domain{};

  int accelerators() const {
    return tensor_parallel_size * pipeline_parallel_size * context_parallel_size *
           data_parallel_size;
  }
  /// Accelerators that share one sample.
  int model_parallel_size() const { return accelerators() / data_parallel_size; }
  double global_batch() const { return micro_batch * data_parallel_size * gradient_accumulation; }
  /// Whether passes are of whole samples, within rounding.
  bool has_whole_samples() const;
};

/// Which part of the model, counted in the order of a forward pass, a chunk holds.
inline int virtual_stage(const Plan& plan, ChunkPlace at) {
  return traits_of(plan.schedule).placement.virtual_stage(plan.pipeline_parallel_size, at);
}

/// Over which link a part of the model hands on to the next one; none where both are on one stage.
inline std::optional<int> link_after(const Plan& plan, int virtual_stage) {
  return traits_of(plan.schedule).placement.link_after(plan.pipeline_parallel_size, virtual_stage);
}

/// Whether backward runs that part of a layer's forward pass again, where its stack recomputes what
/// Megatron-LM does unless told otherwise: the attention core.
constexpr bool recomputes(const Plan& plan, RecomputeModule module) {
  if (plan.recompute != Recompute::Selective) return false;
  return plan.recompute_modules.is_empty() ? module == RecomputeModule::CoreAttention
                                           : plan.recompute_modules.has(module);
}

/// Whether the ends of the model are on one stage, as tied embeddings like it.
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

/// Who holds only a shard of the gradients has no place to add up whole ones: each micro-batch's
/// are reduced after its backward pass, on pipelines too. Others add them up and reduce sums.
constexpr bool reduces_each_micro_batch(const Plan& plan) {
  return plan.sharded >= Sharded::Gradients;
}

/// What the number of micro-batches must divide by.
inline int micro_batch_multiple(const Plan& plan) {
  return runs_in_groups(plan.schedule, plan.chunks_per_stage) ? plan.pipeline_parallel_size : 1;
}

/// The plan with what a run states of its software.
Plan with_settings(Plan, const RunSettings&);

/// Sizes asked for; the rest of a plan as it is by default.
struct PlanRequest {
  int accelerators = 1;
  double global_batch = 1;
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int gradient_accumulation = 1;
};
/// Checks sizes and products: every size at least 1, tp*pp*cp divides the accelerators, the data
/// parallel size is the rest, and every replica gets at least one sample a pass (on average: a
/// published batch need not divide evenly); then the rules of `check_plan`. InputError otherwise.
/// The rest gives `micro_batch`. What does nothing at these sizes is left out
/// (`without_idle_options`).
Plan make_plan(const PlanRequest&);
/// The same of a whole plan, whose data-parallel size and micro-batch are worked out.
Plan make_plan(Plan split, int accelerators, double global_batch);

/// The plan without what does nothing at its sizes: sequence parallelism at tp 1, a schedule at pp
/// 1, shards of one replica (`Need` of `PlanField`). Its steps are the same.
Plan without_idle_options(Plan);

/// What a model allows; absent or true: not known, nothing is refused.
struct PlanLimits {
  std::optional<int> layers{};  ///< that a pipeline can spread
  bool has_ends = false;        ///< an embedding and a head: either may be all of a virtual stage
  bool has_experts = true;
  bool has_attention = true;
};
/// Refuses what no framework runs: an InputError with the one rule that is broken. Options that do
/// nothing at the plan's sizes are no mistake, but for chunks without a pipeline. What a model's
/// dimensions must divide by is `layer_work`'s to check.
void check_plan(const Plan&, const PlanLimits& = {});
/// Whether `check_plan` has nothing to refuse.
bool keeps_rules(const Plan&, const PlanLimits& = {});

// Ranks are numbered tensor first, then context, data, and pipeline (Megatron-LM's order
// tp-cp-dp-pp); expert-parallel ranks are neighbours among those of context and data.
RankSet tensor_ranks(const Plan&);
RankSet context_ranks(const Plan&);
/// Ranks that hold the same parameters: data and context parallel ones reduce gradients together.
RankSet gradient_ranks(const Plan&);
/// Ranks of a stage that may share out its experts: those of data and context, and of tensor where
/// experts are whole.
int expert_sharers(const Plan&);
/// Ranks that share out a layer's experts, and those that hold the same experts. InputError where
/// ep does not divide `expert_sharers`.
RankSet expert_ranks(const Plan&);
RankSet expert_gradient_ranks(const Plan&);
/// How many of ranks that hold the same share one copy of what is sharded, where a scale-up domain
/// has so many accelerators.
int sharing_ranks(const Plan&, RankSet holders, int domain);
/// One rank of each pipeline stage.
RankSet pipeline_ranks(const Plan&);

}  // namespace parallelism
}  // namespace tofn
