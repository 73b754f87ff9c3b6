#pragma once

#include <string>
#include <vector>

#include "sim/answers/plan_answer.hpp"

namespace tofn {
inline namespace answers {

/// A value at which a search would choose otherwise.
struct BreakEven {
  std::string figure;     ///< `price of dgx-a100`, `deadline`, `network.nic_bandwidth of dgx-h100`
  double value = 0;       ///< in the unit of the option, or in base units of a file's figure
  double now = 0;         ///< 0: not stated
  std::size_t other = 0;  ///< candidate that is as good as the best one there
  std::string words;      ///< `mi300x at 2.31 USD/h (now 3.10) would tie: 64 x MI300X (mi300x)`
};

/// Of the best of a search, where it has one:
/// - prices at which the best of each other cluster, or the likeliest to keep the limits, would
/// cost
///   as much (of objectives that count money);
/// - the figures of its links at which the runner-up would be as good, its own where they share
///   them, from a 64th to 64 times as much;
/// - limits: the tightest that the best keeps, and from which on another would be best.
std::vector<BreakEven> break_evens(const RunSearch&, const RunChoice&);

}  // namespace answers
}  // namespace tofn
