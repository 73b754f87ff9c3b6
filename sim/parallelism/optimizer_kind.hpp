#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// What makes new parameters of gradients. A value is a row of `optimizer_traits`; here stand those
/// that code or tests name.
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

/// Of a parameter. Bytes are counted from the algorithm: a pass reads and writes each value once,
/// values are fp32 unless the source has them narrower.
struct OptimizerTraits {
  std::string_view name;
  double state_bytes;     ///< kept, beside the fp32 copy of the parameter
  double update_bytes;    ///< moved by the update: gradient, copy and state
  int newton_schulz = 0;  ///< steps of it over weight matrices; what is none has AdamW
  std::string_view source;
};

/// Every optimizer, its value the index. Add one in optimizer_kind.cpp: a row.
extern const std::span<const OptimizerTraits> optimizer_traits;
extern const std::span<const std::pair<std::string_view, OptimizerKind>> optimizer_names;

inline const auto& names_of(OptimizerKind) { return optimizer_names; }

const OptimizerTraits& traits_of(OptimizerKind);

}  // namespace parallelism
}  // namespace tofn
