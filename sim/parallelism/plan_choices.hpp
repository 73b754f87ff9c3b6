#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// Activations that backward computes again: none, the attention core, or whole layers.
enum class Recompute { None, Selective, Full };
inline constexpr std::array<std::pair<std::string_view, Recompute>, 3> recompute_names{
    {{"none", Recompute::None}, {"selective", Recompute::Selective}, {"full", Recompute::Full}}};

/// Parts of a layer that `Selective` computes again: the attention core (Megatron-LM, arXiv
/// 2205.05198); all but attention and every second product, in their order q, k, v, out, gate, up,
/// down (torchtitan: SelectiveAC, per-op, of distributed/activation_checkpoint.py); or according to
/// MaxText's policies (src/maxtext/layers/decoders.py): all but q, k, v and out; all but these and
/// down; or all but q, k and v, which are offloaded to the host with the layer's input. Layers of
/// experts and of latent attention have other products and recompute the core.
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

/// State that data-parallel ranks shard instead of each holding all of it: ZeRO 1, 2, 3. FSDP is
/// `parameters` if each pass gathers them (FULL_SHARD), and `gradients` if they stay whole between
/// passes (SHARD_GRAD_OP, reshard_after_forward: false). Pipelines under FSDP that accumulate whole
/// gradients until the last micro-batch (torchtitan) are `optimizer`.
enum class Sharded { Nothing, Optimizer, Gradients, Parameters };
inline constexpr std::array<std::pair<std::string_view, Sharded>, 4> sharded_names{
    {{"nothing", Sharded::Nothing},
     {"optimizer", Sharded::Optimizer},
     {"gradients", Sharded::Gradients},
     {"parameters", Sharded::Parameters}}};

/// Bytes per element of the training state: 4, 2 (bf16 or fp16), 1, or none. Master parameters can
/// be none if the optimizer updates those that passes use.
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

/// Exchange of keys and values between context-parallel ranks.
enum class ContextExchange { Ring, AllGather };
inline constexpr std::array<std::pair<std::string_view, ContextExchange>, 2> context_exchanges{
    {{"ring", ContextExchange::Ring}, {"all-gather", ContextExchange::AllGather}}};

/// Exchange of tokens between the ranks of experts: a copy for each expert, from all ranks to all
/// (NCCL; Megatron-LM: --moe-token-dispatcher-type alltoall); or one to each node, or scale-up
/// domain, that holds any of them, and from there one to each rank that does (DeepEP). HybridEP is
/// similar, and its kernels also sort the copies by expert (Megatron-LM:
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

/// Compilation: a compiler fuses the operators of a layer (torch.compile), or each is launched as
/// it is written (eager).
enum class Compile { Off, On };
inline constexpr std::array<std::pair<std::string_view, Compile>, 2> compile_names{
    {{"off", Compile::Off}, {"on", Compile::On}}};

/// Compression of gradients before they are sent.
enum class GradientCompression { None, Int8, TopK, PowerSgd };
inline constexpr std::array<std::pair<std::string_view, GradientCompression>, 4> compression_names{
    {{"none", GradientCompression::None},
     {"int8", GradientCompression::Int8},
     {"top-k", GradientCompression::TopK},
     {"power-sgd", GradientCompression::PowerSgd}}};

// Tables of names of the enums.
constexpr const auto& names_of(Recompute) { return recompute_names; }
constexpr const auto& names_of(Sharded) { return sharded_names; }
constexpr const auto& names_of(KeptFormat) { return kept_formats; }
constexpr const auto& names_of(ContextExchange) { return context_exchanges; }
constexpr const auto& names_of(ExpertDispatch) { return expert_dispatch_names; }
constexpr const auto& names_of(GradientCompression) { return compression_names; }
constexpr const auto& names_of(Compile) { return compile_names; }

}  // namespace parallelism
}  // namespace tofn
