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

/// Generations of chips that measured steps tell apart; other: none was measured.
enum class Architecture { Other, Volta, Ampere, Hopper, Blackwell, Tpu };
inline constexpr std::array<std::pair<std::string_view, Architecture>, 6> architecture_names{
    {{"other", Architecture::Other},
     {"volta", Architecture::Volta},
     {"ampere", Architecture::Ampere},
     {"hopper", Architecture::Hopper},
     {"blackwell", Architecture::Blackwell},
     {"tpu", Architecture::Tpu}}};
constexpr const auto& names_of(Architecture) { return architecture_names; }

/// One accelerator as its datasheet has it. Rates are dense; bandwidths are per direction.
struct Accelerator {
  std::string name;
  std::string vendor;
  Architecture architecture = Architecture::Other;
  std::string die{};  ///< where several accelerators have the same; empty: none other is known
  std::vector<std::string> aliases;
  Sourced<Bytes> memory;
  Sourced<BytesPerSecond> memory_bandwidth;
  /// Streaming multiprocessors or compute units: tiles of a product that run at once. Absent: not
  /// known, or the chip has no such thing.
  std::optional<Sourced<int>> multiprocessors;
  /// What large matrix products were measured to reach in 16, 8 and 4 bits; absent: not known.
  std::optional<Sourced<FlopsPerSecond>> best_product;
  std::optional<Sourced<FlopsPerSecond>> best_fp8_product{};
  std::optional<Sourced<FlopsPerSecond>> best_fp4_product{};
  std::array<std::optional<Sourced<FlopsPerSecond>>, precision_names.size()> peak;
  std::string scale_up_link;
  Sourced<BytesPerSecond> scale_up_bandwidth;
  Sourced<int> scale_up_domain_accelerators;  ///< accelerators that one scale-up fabric joins
  Sourced<BytesPerSecond> host_link;
  Sourced<Watts> power;  ///< the most that it draws
  /// What its site lets it draw; absent: its own power.
  std::optional<Sourced<Watts>> power_limit{};
  std::optional<Sourced<Watts>> idle_power{};  ///< waiting with nothing to do; absent: not known
  Prices prices{};                             ///< usual ones, where a cluster states none

  /// Its name where nothing else is known to have its die.
  const std::string& own_die() const { return die.empty() ? name : die; }

  bool has(Precision) const;
  /// The precision, or what takes its place on a chip that lacks it: the next wider one that it has
  /// (fp8 becomes bf16 on an A100; of the 16-bit ones either stands for the other), else its
  /// widest.
  Precision computes_in(Precision) const;
  PassPrecision computes_in(PassPrecision) const;
  /// Dense peak of what it computes in.
  FlopsPerSecond peak_at(Precision) const;
  /// The most that it draws where its site limits it, else its power.
  Watts power_at_most() const;
  /// Rate of arithmetic under its site's limit over the rate without one, in (0, 1].
  double rate_under_limit() const;
  /// What its best large product was measured to reach in that precision, under its site's limit;
  /// where none was measured, the peak.
  FlopsPerSecond best_product_at(Precision) const;
};

}  // namespace cluster
}  // namespace tofn
