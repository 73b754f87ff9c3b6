#pragma once

#include <optional>
#include <string>

#include "sim/measurements/logged_table.hpp"

namespace tofn {
inline namespace measurements {

/// busbw / algbw of a table: it tells the collective's family and its ranks.
struct BusRatio {
  double value = 0;
  double low = 0;  ///< rounding of what was printed allows it to be from `low` to `high`
  double high = 0;

  bool allows(double factor) const { return low <= factor && factor <= high; }
};

/// From the row that says it most precisely; absent where no row says it to 5 %.
std::optional<BusRatio> bus_ratio(const LoggedTable& table);

/// Numbers of ranks from the least to the most.
struct RankRange {
  int least = 2;
  std::optional<int> most{};  ///< absent: no bound
};

/// Those that give the ratio, as its rounding allows.
RankRange ranks_allowed(const BusRatio& ratio, CollectiveKind kind);

/// The only number of ranks that gives the ratio; absent where several do, or none.
std::optional<int> ranks_of(const BusRatio& ratio, CollectiveKind kind);

/// `all-reduce over 8 ranks`: what the ratio says, for a message.
std::string meaning(const BusRatio& ratio, CollectiveKind kind);

}  // namespace measurements
}  // namespace tofn
