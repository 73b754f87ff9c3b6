#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/prices.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {

/// Number formats of matrix arithmetic, widest first.
enum class Precision { Fp32, Tf32, Bf16, Fp16, Fp8, Fp4 };

inline constexpr std::array<std::pair<std::string_view, Precision>, 6> precision_names{{
    {"fp32", Precision::Fp32},
    {"tf32", Precision::Tf32},
    {"bf16", Precision::Bf16},
    {"fp16", Precision::Fp16},
    {"fp8", Precision::Fp8},
    {"fp4", Precision::Fp4},
}};
std::string_view to_text(Precision);

/// One accelerator as its datasheet has it. Rates are dense; bandwidths are per direction.
struct Accelerator {
  std::string name;
  std::string vendor;
  std::vector<std::string> aliases;
  Sourced<Bytes> memory;
  Sourced<BytesPerSecond> memory_bandwidth;
  /// Streaming multiprocessors or compute units: tiles of a product that run at once. Absent: not
  /// known, or the chip has no such thing.
  std::optional<Sourced<int>> multiprocessors;
  /// The fastest 16-bit matrix product that anybody measured; absent: not known.
  std::optional<Sourced<FlopsPerSecond>> best_product;
  std::array<std::optional<Sourced<FlopsPerSecond>>, precision_names.size()> peak;
  std::string scale_up_link;
  Sourced<BytesPerSecond> scale_up_bandwidth;
  Sourced<int> scale_up_domain_accelerators;  ///< accelerators that one scale-up fabric joins
  Sourced<BytesPerSecond> host_link;
  Sourced<Watts> power;                        ///< the most that it draws
  std::optional<Sourced<Watts>> idle_power{};  ///< waiting with nothing to do; absent: not known
  Prices prices{};                             ///< usual ones, where a cluster states none

  /// Dense peak at a precision; where the chip lacks it, that of the next wider one that it has
  /// (fp8 arithmetic runs as fp16 on an A100).
  FlopsPerSecond peak_at(Precision) const;
};

}  // namespace tofn
