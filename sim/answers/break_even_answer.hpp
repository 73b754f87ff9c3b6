#pragma once

#include <string>
#include <vector>

#include "sim/answers/plan_answer.hpp"

namespace tofn {
inline namespace answers {

/// Value of an input at which the search would choose another candidate.
struct BreakEven {
  std::string figure;  ///< `price of dgx-a100`, `deadline`, `network.nic_bandwidth of dgx-h100`
  double value = 0;    ///< in the unit of the option, or in base units if it is a figure of a file
  double now = 0;      ///< 0: not stated
  std::size_t other = 0;  ///< index of the candidate that is then as good as the best one
  std::string words;      ///< `mi300x at 2.31 USD/h (now 3.10) would tie: 64 x MI300X (mi300x)`
};

/// Returns the break-even values around the best candidate of a search; none if the search has no
/// best:
/// - prices of the other clusters at which their best candidate would cost as much (only if the
///   objective counts money); if no candidate of a cluster keeps the limits, the nearest one
///   counts;
/// - link figures of the best cluster, from 1/64 to 64 times as large, at which the runner-up would
///   be as good; if both run on that cluster, they change for both;
/// - for each limit, the tightest value that the best candidate keeps, and for a binding one the
///   value from which another candidate would be best.
std::vector<BreakEven> break_evens(const RunSearch&, const RunChoice&);

}  // namespace answers
}  // namespace tofn
