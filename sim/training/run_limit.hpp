#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace training {

/// Maximum of a figure of a run.
struct RunLimit {
  std::string_view name;
  double RunFigures::*figure;
  double most = 0;
  std::string dates{};  ///< the dates, if the limit is a date: `2026-11-23 to 2027-03-01`
};

/// Share of the estimate's samples that keep all limits, except the one that `without` points to.
double chance_of(const RunEstimate&, const std::vector<RunLimit>&,
                 const RunLimit* without = nullptr);

/// Largest ratio of a figure's median over the samples to its limit; 0 if there are no limits.
double largest_excess(const RunEstimate&, const std::vector<RunLimit>&);

}  // namespace training
}  // namespace tofn
