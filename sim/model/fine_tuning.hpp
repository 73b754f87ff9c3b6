#pragma once

#include <string>
#include <vector>

#include "sim/model/model.hpp"

namespace tofn {
inline namespace model {

/// How a model that was trained before is trained again; nothing stated: all of it.
struct FineTuning {
  int lora_rank = 0;                       ///< of adapters, beside which all is frozen; 0: none
  std::vector<LoraTarget> lora_targets{};  ///< empty: attention, as Megatron-LM splits it
  std::vector<std::string> freeze{};       ///< parts by name; `transformer:16`: its first layers
  int packed_length = 0;                   ///< mean tokens of the texts that a sample packs; 0: one

  friend bool operator==(const FineTuning&, const FineTuning&) = default;
};

/// The model with what trains of it, said in a sentence of its substitutions. InputError that names
/// the option (`--freeze`) where the model lacks a part or a product, where products overlap
/// (`linear_qkv` and `q_proj`), and where nothing is left to train.
Model fine_tuned(Model, const FineTuning&);

/// Why these targets do not go together on such layers; empty: they do.
std::string clash_of(const TransformerLayers&);

}  // namespace model
}  // namespace tofn
