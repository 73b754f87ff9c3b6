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
  /// Of so many ranks; `is_measured`: a table answered, of another collective where `is_carried`.
  void note(CollectiveKind kind, int ranks, bool is_measured, bool is_carried = false) {
    if (!is_measured) by_formula_.emplace(kind, ranks);
    any_is_measured_ = any_is_measured_ || is_measured;
    if (is_carried) carried_.insert(kind);
  }
  /// One ran in the network's switches, as was asked for.
  void note_network_reduction() { is_reduced_in_network_ = true; }
  /// Whether any did.
  bool is_reduced_in_network() const { return is_reduced_in_network_; }
  /// Those that a table of all-reduce answered.
  const std::set<CollectiveKind>& carried() const { return carried_; }
  /// Those that no table answered, with their ranks.
  const std::set<std::pair<CollectiveKind, int>>& by_formula() const { return by_formula_; }
  /// Whether a table answered any of them.
  bool any_is_measured() const { return any_is_measured_; }

 private:
  std::set<CollectiveKind> carried_;
  std::set<std::pair<CollectiveKind, int>> by_formula_;
  bool any_is_measured_ = false;
  bool is_reduced_in_network_ = false;
};

}  // namespace cluster
}  // namespace tofn
