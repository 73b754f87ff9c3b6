#pragma once

#include <string>
#include <vector>

#include "microbench/collective/backend.hpp"
#include "microbench/harness/lab.hpp"

namespace tofn::bench {

/// What `tofn-bench collective` measures: every combination, one table for each but the sizes.
struct CollectiveSweep {
  std::vector<const Operation*> operations;
  std::vector<const ElementType*> types;
  std::vector<GroupKind> groups;
  std::vector<bool> in_place;
  bool is_cold = false;       ///< ranks write what they send before each call
  std::vector<double> sizes;  ///< bytes, ascending; rounded to whole chunks of whole elements
};

/// Points that the sweep can come to, for the time left.
int most_points(const CollectiveSweep&);

/// Collective over the team. Combinations that the backend or the ranks do not allow are named with
/// the reason and left out; if that is all of them it is an InputError.
void run(Lab&, Backend&, const CollectiveSweep&);

}  // namespace tofn::bench
