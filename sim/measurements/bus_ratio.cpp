#include "sim/measurements/bus_ratio.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/measurements/stated_placement.hpp"

namespace tofn {
inline namespace measurements {
namespace {

std::optional<BusRatio> ratio_of(const PrintedBandwidths& printed) {
  if (printed.algorithm <= printed.algorithm_step || printed.bus <= printed.bus_step)
    return std::nullopt;
  return BusRatio{
      .value = printed.bus / printed.algorithm,
      .low = (printed.bus - printed.bus_step) / (printed.algorithm + printed.algorithm_step),
      .high = (printed.bus + printed.bus_step) / (printed.algorithm - printed.algorithm_step)};
}

}  // namespace

std::optional<BusRatio> bus_ratio(const LoggedTable& table) {
  constexpr double useful = 0.05;
  constexpr double slack = 1e-9;  // a figure of exactly half a step
  std::optional<BusRatio> best;
  for (const LoggedRow& row : table.rows) {
    if (!row.bandwidths) continue;
    const auto ratio = ratio_of(*row.bandwidths);
    if (!ratio || ratio->high - ratio->low > useful * ratio->value) continue;
    if (!best || ratio->high - ratio->low < best->high - best->low) best = ratio;
  }
  if (best) {
    best->low *= 1 - slack;
    best->high *= 1 + slack;
  }
  return best;
}

std::optional<int> ranks_of(const BusRatio& ratio, CollectiveKind kind) {
  const double passes = bus_factor_of(kind, 2) * 2;  // factor = passes (n - 1) / n
  if (kind == CollectiveKind::Broadcast || kind == CollectiveKind::SendReceive ||
      ratio.high >= passes)
    return std::nullopt;
  const double first = std::ceil(passes / (passes - ratio.low));
  const double last = std::floor(passes / (passes - ratio.high));
  constexpr double most = 1e7;
  if (first != last || first < 2 || first > most) return std::nullopt;
  return static_cast<int>(first);
}

std::string meaning(const BusRatio& ratio, CollectiveKind kind) {
  const auto ranks = ranks_of(ratio, kind);
  return ranks ? fmt::format("{} over {} ranks", collective_name(kind), *ranks)
               : "another collective or another number of ranks";
}

}  // namespace measurements
}  // namespace tofn
