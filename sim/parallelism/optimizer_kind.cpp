#include "sim/parallelism/optimizer_kind.hpp"

#include <array>
#include <cstddef>

namespace tofn {
inline namespace parallelism {
namespace {

constexpr std::array optimizers{
    OptimizerTraits{"adamw", 8, 28, 0, "arXiv 1711.05101: two moments, read and written"},
    OptimizerTraits{"adam", 8, 28, 0, "arXiv 1412.6980: two moments, read and written"},
    OptimizerTraits{
        "adafactor", 0, 20, 0,
        "arXiv 1804.04235, algorithm 4 without momentum: the second moment as sums of rows "
        "and columns; gradients read for these sums and for the clipping too"},
    OptimizerTraits{"sgd", 0, 12, 0, "parameter and gradient alone"},
    OptimizerTraits{"momentum", 4, 20, 0, "one moment, read and written"},
    OptimizerTraits{"lamb", 8, 48, 0,
                    "arXiv 1904.00962, algorithm 2: Adam's update is written, its norm and the "
                    "parameter's are taken, both are read again"},
    OptimizerTraits{"lion", 4, 20, 0, "arXiv 2302.06675, program 1: one moment, read and written"},
    OptimizerTraits{
        "muon", 4, 24, 5,
        "kellerjordan.github.io/posts/muon: one moment, five Newton-Schulz steps in bf16 over "
        "matrices; what is none has AdamW"},
    OptimizerTraits{
        "adam-8bit", 2 + 2 * 4.0 / 2048, 16 + 4 * 4.0 / 2048, 0,
        "arXiv 2110.02861, section 2: two moments of 8 bits, an fp32 scale to 2048 of each"}};

constexpr auto optimizer_table = [] {
  std::array<std::pair<std::string_view, OptimizerKind>, optimizers.size()> all;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {optimizers[i].name, static_cast<OptimizerKind>(i)};
  return all;
}();

}  // namespace

constinit const std::span<const OptimizerTraits> optimizer_traits = optimizers;
constinit const std::span<const std::pair<std::string_view, OptimizerKind>> optimizer_names =
    optimizer_table;

const OptimizerTraits& traits_of(OptimizerKind kind) {
  return optimizers[static_cast<std::size_t>(kind)];
}

}  // namespace parallelism
}  // namespace tofn
