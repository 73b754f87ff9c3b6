#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// What makes new parameters of gradients.
enum class OptimizerKind { AdamW, Adam, Adafactor, Sgd, Momentum, Lamb, Lion, Muon, Adam8bit };
inline constexpr std::array<std::pair<std::string_view, OptimizerKind>, 9> optimizer_names{
    {{"adamw", OptimizerKind::AdamW},
     {"adam", OptimizerKind::Adam},
     {"adafactor", OptimizerKind::Adafactor},
     {"sgd", OptimizerKind::Sgd},
     {"momentum", OptimizerKind::Momentum},
     {"lamb", OptimizerKind::Lamb},
     {"lion", OptimizerKind::Lion},
     {"muon", OptimizerKind::Muon},
     {"adam-8bit", OptimizerKind::Adam8bit}}};
constexpr const auto& names_of(OptimizerKind) { return optimizer_names; }

/// Of a parameter. Bytes are counted from the algorithm: a pass reads and writes each value once,
/// values are fp32 unless the source has them narrower.
struct OptimizerTraits {
  double state_bytes;     ///< kept, beside the fp32 copy of the parameter
  double update_bytes;    ///< moved by the update: gradient, copy and state
  int newton_schulz = 0;  ///< steps of it over weight matrices
  std::string_view source;
};

/// In the order of the enum.
inline constexpr std::array optimizer_traits{
    OptimizerTraits{8, 28, 0, "arXiv 1711.05101: two moments, read and written"},
    OptimizerTraits{8, 28, 0, "arXiv 1412.6980: two moments, read and written"},
    OptimizerTraits{
        0, 20, 0,
        "arXiv 1804.04235, algorithm 4 without momentum: the second moment as sums of rows "
        "and columns; gradients read for these sums and for the clipping too"},
    OptimizerTraits{0, 12, 0, "parameter and gradient alone"},
    OptimizerTraits{4, 20, 0, "one moment, read and written"},
    OptimizerTraits{8, 48, 0,
                    "arXiv 1904.00962, algorithm 2: Adam's update is written, its norm and the "
                    "parameter's are taken, both are read again"},
    OptimizerTraits{4, 20, 0, "arXiv 2302.06675, program 1: one moment, read and written"},
    OptimizerTraits{
        4, 24, 5,
        "kellerjordan.github.io/posts/muon: one moment, five Newton-Schulz steps in bf16 over "
        "matrices; what is none has AdamW"},
    OptimizerTraits{
        2 + 2 * 4.0 / 2048, 16 + 4 * 4.0 / 2048, 0,
        "arXiv 2110.02861, section 2: two moments of 8 bits, an fp32 scale to 2048 of each"}};

constexpr const OptimizerTraits& traits_of(OptimizerKind kind) {
  return optimizer_traits[static_cast<std::size_t>(kind)];
}

}  // namespace parallelism
}  // namespace tofn
