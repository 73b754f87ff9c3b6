#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/precision.hpp"
#include "sim/rollout/decoder.hpp"

namespace tofn {
inline namespace rollout {

/// How the ranks of an engine share attention. Tensor parallel: each has some of the heads of all
/// sequences. Data parallel: each has whole weights of attention for its own sequences, and ranks
/// share out whole experts (expert parallel).
enum class EngineAttention { TensorParallel, DataParallel };
inline constexpr std::array<std::pair<std::string_view, EngineAttention>, 2> engine_attentions{
    {{"tp", EngineAttention::TensorParallel}, {"dp", EngineAttention::DataParallel}}};
constexpr const auto& names_of(EngineAttention) { return engine_attentions; }

/// How an engine splits a model and what it keeps.
struct EngineLayout {
  int ranks = 1;
  EngineAttention attention = EngineAttention::TensorParallel;
  Precision weights = Precision::Bf16;
  Precision cache = Precision::Bf16;
  double memory_share = 0.9;  ///< of the accelerator's memory that the engine may take

  bool shares_sequences() const { return attention == EngineAttention::DataParallel; }
  /// Ranks that run sequences of their own.
  int sequence_ranks() const { return shares_sequences() ? ranks : 1; }
};

/// Numbers of ranks that an engine may have, ascending: tensor parallel those that divide the heads
/// of all layers; data parallel those above 1 that divide the experts, none of a dense model.
std::vector<int> engine_sizes(const Decoder&, EngineAttention);

/// InputError if the ranks of an engine cannot share a model's attention so.
void require_engine_attention(const Decoder&, EngineAttention);

/// InputError, which lists the sizes that do, if an engine of so many ranks does not split the
/// model, by heads or by experts where the split of attention is not stated.
void require_engine_size(const Decoder&, int ranks, std::optional<EngineAttention> stated = {});

}  // namespace rollout
}  // namespace tofn
