#pragma once

#include <string>
#include <vector>

#include "sim/model/model.hpp"

namespace tofn {
inline namespace model {

/// Settings of the fine-tuning of a pre-trained model. By default all of it trains.
struct FineTuning {
  int lora_rank = 0;  ///< rank of adapters, beside which all else is frozen; 0: no adapters
  std::vector<LoraTarget> lora_targets{};  ///< empty: attention, as Megatron-LM splits it
  std::vector<std::string> freeze{};  ///< names of parts; `transformer:16`: its first 16 layers
  int packed_length = 0;  ///< mean tokens of the texts packed in a sample; 0: a sample is one text

  friend bool operator==(const FineTuning&, const FineTuning&) = default;
};

/// Returns the model with only the requested parts trained, and adds a sentence on it to its
/// substitutions. InputError that names the option (`--freeze`) if the model lacks a part or a
/// product, if products overlap (`linear_qkv` and `q_proj`), or if nothing is left to train.
Model fine_tuned(Model, const FineTuning&);

/// Reason why the layer's LoRA targets exclude each other; empty if they do not.
std::string clash_of(const TransformerLayers&);

}  // namespace model
}  // namespace tofn
