#pragma once

#include <string>
#include <vector>

#include "microbench/collective/backend.hpp"
#include "microbench/harness/lab.hpp"

namespace tofn::bench {

/// Parameters of `tofn-bench collective`: every combination is measured, with one table for all
/// sizes.
struct CollectiveSweep {
  std::vector<const Operation*> operations;
  std::vector<const ElementType*> types;
  std::vector<GroupKind> groups;
  std::vector<bool> in_place;
  bool is_cold = false;       ///< ranks write the data that they send before each call
  std::vector<double> sizes;  ///< bytes, ascending; rounded to whole chunks of whole elements
};

/// Upper limit of the sweep's points, to estimate the time left.
int most_points(const CollectiveSweep&);

/// Measures the sweep. Collective over the team. Prints combinations that the backend or the ranks
/// do not allow, with the reason, and skips them; InputError if that skips all.
void run(Lab&, Backend&, const CollectiveSweep&);

}  // namespace tofn::bench
