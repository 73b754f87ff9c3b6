#pragma once

#include <span>

#include "sim/answers/sensitivity_answer.hpp"

namespace tofn {
inline namespace answers {

/// Uncertainties that make an interval wide, of a time or, with that of the price, of a cost.
struct TimeUncertainties {
  std::vector<TimeUncertainty> all;  ///< largest share first
  double deviation = 0;              ///< of the logarithm of the time
  std::vector<Measurement> next;     ///< measurements that would narrow it, best first (`ranked`)
};

/// Standard deviation of the logarithm of the price of a cluster that has none of its own and takes
/// its accelerator's: that of all known prices of this accelerator and term. 0 if the price is
/// stated or the cluster's own, or if fewer than two are known.
double price_deviation(const Cluster&, const ExpenseOptions&, std::span<const Cluster* const> all);

/// Uncertainties of a run, or of its step if it is not known what it trains. The fitted uncertainty
/// of a stack, for the steps that take most of the time, is divided among its figures and the
/// discrepancy; correlated figures each get their share of the variance of the sum. `stack`: that
/// of the steps; unused if their kernel times were measured.
TimeUncertainties uncertainties_of(const RunEstimate&, const KernelProfile& stack,
                                   double price_deviation = 0);

}  // namespace answers
}  // namespace tofn
