#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// Optimizer that turns gradients into new parameters. A value is a row of `optimizer_traits`; the
/// names here are those that code or tests need.
enum class OptimizerKind : unsigned char {
  AdamW,
  Adam,
  Adafactor,
  Sgd,
  Momentum,
  Lamb,
  Lion,
  Muon,
  Adam8bit
};

/// Traits of an optimizer, per parameter. Bytes follow from the algorithm: a pass reads and writes
/// each value once, in fp32 unless the source has narrower values.
struct OptimizerTraits {
  std::string_view name;
  double state_bytes;     ///< kept in addition to the fp32 copy of the parameter
  double update_bytes;    ///< moved by the update: gradient, copy and state
  int newton_schulz = 0;  ///< Newton-Schulz steps over weight matrices; other parameters use AdamW
  std::string_view source;
};

/// All optimizers, indexed by value. To add one, add a row in optimizer_kind.cpp.
extern const std::span<const OptimizerTraits> optimizer_traits;
extern const std::span<const std::pair<std::string_view, OptimizerKind>> optimizer_names;

inline const auto& names_of(OptimizerKind) { return optimizer_names; }

const OptimizerTraits& traits_of(OptimizerKind);

}  // namespace parallelism
}  // namespace tofn
