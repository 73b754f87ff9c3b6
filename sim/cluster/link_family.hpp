#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace cluster {

/// Tier of a family's links: inside a scale-up domain or between domains.
enum class LinkTier { ScaleUp, Network };
inline constexpr std::array<std::pair<std::string_view, LinkTier>, 2> link_tiers{{
    {"scale-up", LinkTier::ScaleUp},
    {"network", LinkTier::Network},
}};

/// Multicast bandwidth on Hopper as a share of the ring bandwidth: 274.2 of 364.5 GB/s. It was read
/// off a table that is also scored, the 16 GiB row of configs/calibrations/h100-dgx-1x8.yaml
/// (17,179,869,184 B in 62,648 us).
inline constexpr double hopper_multicast = 0.752;

/// Links of one kind in any machine: a file of configs/fabrics. Its figures come from vendors and
/// NCCL's source, and its factors on times are fitted to the tables of configs/calibrations.
struct LinkFamily {
  std::string name{};  ///< empty: no family
  LinkTier tier = LinkTier::ScaleUp;
  std::vector<std::string> links{};  ///< patterns of the links' names
  Sourced<double> bandwidth_efficiency{1, {}};
  Sourced<Seconds> latency{};
  /// Share of a ring's bandwidth at which switches multicast and reduce the payload (NVLS).
  Sourced<double> multicast_efficiency{hopper_multicast, {}};
  int tables = 0;  ///< number of tables to which its factors are fitted
  double latency_factor = 1;
  double bandwidth_factor = 1;  ///< on the time of bytes; 1.1: a tenth less bandwidth
  double filling_factor = 1;    ///< on the time in which pipelines fill

  /// Fitted figures.
  Sourced<double> learned_efficiency() const {
    return {bandwidth_efficiency.value / bandwidth_factor, "family " + name};
  }
  Sourced<Seconds> learned_latency() const {
    return {latency.value * latency_factor, "family " + name};
  }
};

}  // namespace cluster
}  // namespace tofn
