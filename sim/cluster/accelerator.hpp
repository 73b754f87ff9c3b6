#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/precision.hpp"
#include "sim/cluster/prices.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace cluster {

/// Generations of chips that measured steps distinguish; Other: not measured.
enum class Architecture { Other, Volta, Ampere, Hopper, Blackwell, Tpu };
inline constexpr std::array<std::pair<std::string_view, Architecture>, 6> architecture_names{
    {{"other", Architecture::Other},
     {"volta", Architecture::Volta},
     {"ampere", Architecture::Ampere},
     {"hopper", Architecture::Hopper},
     {"blackwell", Architecture::Blackwell},
     {"tpu", Architecture::Tpu}}};
constexpr const auto& names_of(Architecture) { return architecture_names; }

/// One accelerator with the figures of its datasheet. Rates are dense; bandwidths are per
/// direction.
struct Accelerator {
  std::string name;
  std::string vendor;
  Architecture architecture = Architecture::Other;
  std::string die{};  ///< name of a die that several accelerators share; empty: no other is known
  std::vector<std::string> aliases;
  Sourced<Bytes> memory;
  Sourced<BytesPerSecond> memory_bandwidth;
  /// Streaming multiprocessors or compute units: tiles of a product that run at once. Absent if
  /// unknown, or if the chip has none.
  std::optional<Sourced<int>> multiprocessors;
  /// Measured rate of large matrix products in 16, 8 and 4 bits; absent if unknown.
  std::optional<Sourced<FlopsPerSecond>> best_product;
  std::optional<Sourced<FlopsPerSecond>> best_fp8_product{};
  std::optional<Sourced<FlopsPerSecond>> best_fp4_product{};
  std::array<std::optional<Sourced<FlopsPerSecond>>, precision_names.size()> peak;
  std::string scale_up_link;
  Sourced<BytesPerSecond> scale_up_bandwidth;
  Sourced<int> scale_up_domain_accelerators;  ///< accelerators that one scale-up fabric joins
  Sourced<BytesPerSecond> host_link;
  Sourced<Watts> power;  ///< maximum
  /// Power limit of its site; absent: `power` is the limit.
  std::optional<Sourced<Watts>> power_limit{};
  std::optional<Sourced<Watts>> idle_power{};  ///< waiting without work; absent if unknown
  Prices prices{};                             ///< default prices, for clusters that state none

  /// Name of its die; its own name if no other accelerator is known to share the die.
  const std::string& own_die() const { return die.empty() ? name : die; }

  bool has(Precision) const;
  /// Returns the precision, or its replacement on a chip without it: the next wider one that the
  /// chip has (fp8 becomes bf16 on an A100; the two 16-bit formats replace each other), otherwise
  /// its widest.
  Precision computes_in(Precision) const;
  PassPrecision computes_in(PassPrecision) const;
  /// Dense peak in the precision in which it computes.
  FlopsPerSecond peak_at(Precision) const;
  /// Limit of its site if there is one, otherwise its maximum power.
  Watts power_at_most() const;
  /// Rate of arithmetic under its site's power limit over the rate without one, in (0, 1].
  double rate_under_limit() const;
  /// Measured rate of its best large product in that precision, under its site's power limit; the
  /// peak if none was measured.
  FlopsPerSecond best_product_at(Precision) const;
};

}  // namespace cluster
}  // namespace tofn
