#pragma once

#include <array>
#include <string_view>

#include "sim/cluster/accelerator.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace memory {

/// Bytes per parameter of a rank before sharding: the parameters in the format that passes use,
/// their gradients, and the optimizer state (Adam: master copy and two moments).
struct StateBytes {
  std::string_view name;
  double parameters = 0;
  double gradients = 0;
  double optimizer = 0;
  std::string_view source;
  double gathered = 2;  ///< of a whole parameter, if ranks keep shards

  double total() const { return parameters + gradients + optimizer; }
};

inline constexpr StateBytes half_state{
    "16-bit, fp32 gradients", 2, 4, 12,
    "Megatron-LM docs, distributed optimizer: bf16 parameters and fp32 gradients, 18 bytes; Figure "
    "1 of arXiv 2205.05198 has them"};
inline constexpr StateBytes single_state{
    "fp32", 4, 4, 8, "Megatron-LM docs, distributed optimizer: 16 bytes", 4};
inline constexpr StateBytes eight_bit_state{
    "fp8, fp32 gradients", 4, 4, 12,
    "assumed: as 16-bit, and fp8 copies of the parameters and of their transpose"};
inline constexpr StateBytes four_bit_state{
    "fp4, fp32 gradients", 3, 4, 12,
    "assumed: as 16-bit, and fp4 copies of the parameters and of their transpose"};

/// Bytes of optimizer state for another kind of optimizer than Adam, which `StateBytes` assumes.
/// `are_matrices`: for weights that are matrices, otherwise for those that Muon leaves to AdamW.
double optimizer_bytes(const StateBytes&, OptimizerKind, bool are_matrices);

/// Default state at a precision of matrix arithmetic, with fp32 gradients.
const StateBytes& default_state(Precision);

/// State at that precision with the formats that the plan states.
StateBytes state_of(Precision, const Plan&);

/// Bytes of a trained parameter in a checkpoint: in 16 bits, or in fp32 where that is the master
/// copy, with the optimizer's state (Adam: master copy and two moments). Gradients are not kept.
double checkpoint_bytes(const StateBytes&, const Plan&);

}  // namespace memory
}  // namespace tofn
