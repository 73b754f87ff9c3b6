#pragma once

#include <array>
#include <string_view>

#include "sim/cluster/accelerator.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace memory {

/// Bytes that training keeps per parameter of a rank before anything is sharded: the parameters as
/// passes use them, their gradients, and what the optimizer (Adam: master copy and two moments)
/// keeps.
struct StateBytes {
  std::string_view name;
  double parameters = 0;
  double gradients = 0;
  double optimizer = 0;
  std::string_view source;
  double gathered = 2;  ///< of a parameter whole, where ranks keep shards

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

/// Of the optimizer's, which the kinds above take for Adam's: those of another kind, of weights
/// that are matrices or of what Muon leaves to AdamW.
double optimizer_bytes(const StateBytes&, OptimizerKind, bool are_matrices);

/// What is usual at a precision of matrix arithmetic: fp32 gradients.
const StateBytes& default_state(Precision);

/// The same as the plan keeps it, where it says.
StateBytes state_of(Precision, const Plan&);

}  // namespace memory
}  // namespace tofn
