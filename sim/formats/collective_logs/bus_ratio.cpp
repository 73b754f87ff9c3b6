#include "sim/formats/collective_logs/bus_ratio.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/statistics.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Range of the printed algorithm bandwidth, GB/s, narrowed by size over time, which has more
/// digits for small sizes.
Interval algorithm_range(const LoggedRow& row) {
  constexpr double giga = 1e9;
  constexpr double digits = 0.01;  // precision of a time with two digits
  const PrintedBandwidths& printed = *row.bandwidths;
  const Interval range{printed.algorithm - printed.algorithm_step,
                       printed.algorithm + printed.algorithm_step};
  for (const auto& time : {row.out_of_place, row.in_place}) {
    if (!time || time->base() <= 0) continue;
    const double bandwidth = row.size / time->base() / giga;
    if (range.low < bandwidth && bandwidth < range.high)
      return {std::max(range.low, bandwidth * (1 - digits)),
              std::min(range.high, bandwidth * (1 + digits))};
  }
  return range;
}

std::optional<BusRatio> ratio_of(const LoggedRow& row) {
  const PrintedBandwidths& printed = *row.bandwidths;
  if (printed.algorithm <= printed.algorithm_step || printed.bus <= printed.bus_step)
    return std::nullopt;
  const auto [low, high] = algorithm_range(row);
  return BusRatio{.value = printed.bus / printed.algorithm,
                  .low = (printed.bus - printed.bus_step) / high,
                  .high = (printed.bus + printed.bus_step) / low};
}

}  // namespace

std::optional<BusRatio> bus_ratio(const LoggedTable& table) {
  constexpr double useful = 0.05;
  constexpr double slack = 1e-9;  // allows a figure of exactly half a step
  std::optional<BusRatio> best;
  for (const LoggedRow& row : table.rows) {
    if (!row.bandwidths) continue;
    const auto ratio = ratio_of(row);
    if (!ratio || ratio->high - ratio->low > useful * ratio->value) continue;
    if (!best || ratio->high - ratio->low < best->high - best->low) best = ratio;
  }
  if (best) {
    best->low *= 1 - slack;
    best->high *= 1 + slack;
  }
  return best;
}

RankRange ranks_allowed(const BusRatio& ratio, CollectiveKind kind) {
  constexpr double most = 1e7;
  const double passes = bus_factor_of(kind, 2) * 2;  // factor = passes (n - 1) / n
  if (kind == CollectiveKind::Broadcast || kind == CollectiveKind::SendReceive ||
      ratio.low >= passes)
    return {};
  const double first = std::clamp(std::ceil(passes / (passes - ratio.low)), 2.0, most);
  const double last = ratio.high < passes ? std::floor(passes / (passes - ratio.high)) : most + 1;
  RankRange range{.least = static_cast<int>(first)};
  if (last <= most) range.most = static_cast<int>(last);
  return range;
}

std::optional<int> ranks_of(const BusRatio& ratio, CollectiveKind kind) {
  const RankRange range = ranks_allowed(ratio, kind);
  return range.most == range.least ? range.most : std::nullopt;
}

std::string meaning(const BusRatio& ratio, CollectiveKind kind) {
  const auto ranks = ranks_of(ratio, kind);
  return ranks ? fmt::format("{} over {} ranks", collective_name(kind), *ranks)
               : "another collective or another number of ranks";
}

}  // namespace formats
}  // namespace tofn
