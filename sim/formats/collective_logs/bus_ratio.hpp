#pragma once

#include <optional>
#include <string>

#include "sim/formats/collective_logs/logged_table.hpp"

namespace tofn {
inline namespace formats {

/// busbw / algbw of a table, which identifies the collective's family and its number of ranks.
struct BusRatio {
  double value = 0;
  double low = 0;  ///< lower bound by the rounding of the printed figures
  double high = 0;

  bool allows(double factor) const { return low <= factor && factor <= high; }
};

/// Returns the ratio of the row that prints it most precisely; absent if no row determines it
/// within 5 %.
std::optional<BusRatio> bus_ratio(const LoggedTable& table);

/// Range of possible numbers of ranks.
struct RankRange {
  int least = 2;
  std::optional<int> most{};  ///< absent: no bound
};

/// Returns the numbers of ranks that give the ratio within its rounding.
RankRange ranks_allowed(const BusRatio& ratio, CollectiveKind kind);

/// Returns the only number of ranks that gives the ratio; absent if there are several or none.
std::optional<int> ranks_of(const BusRatio& ratio, CollectiveKind kind);

/// Returns the meaning of the ratio for a message: `all-reduce over 8 ranks`.
std::string meaning(const BusRatio& ratio, CollectiveKind kind);

}  // namespace formats
}  // namespace tofn
