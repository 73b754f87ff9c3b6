#pragma once

#include <vector>

namespace tofn {
inline namespace rollout {

/// Standard deviation of the logarithm of response lengths where none is stated: assumed, because
/// no table of measured steps states a spread. It is a coefficient of variation of 0.66.
inline constexpr double default_length_spread = 0.6;

/// Lengths of responses in tokens: log-normal, cut at a cap.
struct ResponseLengths {
  double mean = 0;  ///< after the cut, above 0 and at most the cap
  double cap = 0;
  double spread = default_length_spread;  ///< standard deviation of the logarithm before the cut

  /// Returns `count` lengths, ascending: quantiles at the middles of equal shares. The last one is
  /// the longest expected of `drawn` responses, since an engine with the longest ends a rollout.
  std::vector<double> quantiles(int count, double drawn) const;
};

}  // namespace rollout
}  // namespace tofn
