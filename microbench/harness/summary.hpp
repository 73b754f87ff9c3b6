#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/core/record.hpp"

namespace tofn::bench {

/// Median and 95 % intervals of samples from visits of the given sizes, in order. Samples of one
/// visit are correlated, so the intervals are based on the medians of the visits: Student's t of
/// their logarithms, widened for noise slower than the visits. They hold at least 95 times in 100
/// for noise of Hurst exponent up to 0.85, also if a StoppingRule ends the visits, and nearly
/// always if visits are independent. A single visit is split into fifths, which do not show slow
/// noise.
RecordSummary summarize(std::span<const double> samples, std::span<const int> visits);

/// Half the width of the interval, over the median.
double half_width(const RecordSummary&);

/// Number of samples beyond the upper quartile by three times the quartile range (Tukey,
/// "Exploratory data analysis", 1977: "far out").
int count_outliers(std::span<const double> samples);

/// Warnings on the median: `bimodal: 31 % near 18.1 us, 69 % near 45.5 us`, `outliers: 4 of 500
/// above 60.2 us, the largest 2.4 ms`.
std::vector<std::string> flags_of(std::span<const double> samples);

}  // namespace tofn::bench
