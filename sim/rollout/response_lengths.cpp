#include "sim/rollout/response_lengths.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/normal_share.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace rollout {
namespace {

/// Mean of min(X, cap) for a log-normal X whose logarithm has this mean:
/// exp(m + s^2/2) F((ln cap - m - s^2) / s) + cap (1 - F((ln cap - m) / s)).
double cut_mean(double log_mean, double spread, double cap) {
  const double at = std::log(cap) - log_mean;
  return std::exp(log_mean + spread * spread / 2) *
             normal_share_below((at - spread * spread) / spread) +
         cap * (1 - normal_share_below(at / spread));
}

/// Mean of the logarithm that gives the mean after the cut, by bisection: `cut_mean` grows with it.
double log_mean_of(const ResponseLengths& lengths) {
  double low = std::log(lengths.mean) - lengths.spread * lengths.spread;
  double high = std::log(lengths.cap) + 20 * lengths.spread;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (cut_mean(middle, lengths.spread, lengths.cap) < lengths.mean ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

std::vector<double> ResponseLengths::quantiles(int count, double drawn) const {
  constexpr double equal = 1e-3;  // closer to the cap than this, all are as long as it
  if (mean >= cap * (1 - equal) || spread <= 0)
    return std::vector<double>(static_cast<std::size_t>(count), mean);
  const double log_mean = log_mean_of(*this);
  std::vector<double> lengths;
  for (int i = 0; i < count; ++i) {
    double share = (i + 0.5) / count;
    if (i == count - 1) share = std::max(share, 1 - 0.5 / drawn);
    lengths.push_back(std::min(cap, std::exp(log_mean + spread * normal_quantile(share))));
  }
  // The quantile of a few draws is below their mean, which is the expectation of one.
  lengths.back() = std::max(lengths.back(), mean);
  return lengths;
}

}  // namespace rollout
}  // namespace tofn
