#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace training {

/// What a run may take at most.
struct RunLimit {
  std::string_view name;
  double RunFigures::*figure;
  double most = 0;
  std::string dates{};  ///< of a date that was asked for: `2026-11-23 to 2027-03-01`
};

/// Share of the estimate's draws that keep all limits, but for the one that `without` points at.
double chance_of(const RunEstimate&, const std::vector<RunLimit>&,
                 const RunLimit* without = nullptr);

/// The largest of its figures over their limits, each in the middle of the draws; 0: there are
/// none.
double largest_excess(const RunEstimate&, const std::vector<RunLimit>&);

}  // namespace training
}  // namespace tofn
