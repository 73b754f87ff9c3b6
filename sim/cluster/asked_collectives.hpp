#pragma once

#include <set>
#include <utility>

#include "sim/core/collective_kind.hpp"

namespace tofn {
inline namespace cluster {

/// Takes note of the collectives that are asked of a cluster whose `asked` points to it. One
/// thread's.
class AskedCollectives {
 public:
  /// Of so many ranks; `is_measured`: a table answered.
  void note(CollectiveKind kind, int ranks, bool is_measured) {
    if (!is_measured) by_formula_.emplace(kind, ranks);
  }
  /// Those that no table answered, with their ranks.
  const std::set<std::pair<CollectiveKind, int>>& by_formula() const { return by_formula_; }

 private:
  std::set<std::pair<CollectiveKind, int>> by_formula_;
};

}  // namespace cluster
}  // namespace tofn
