#pragma once

#include <set>
#include <utility>

#include "sim/core/collective_kind.hpp"

namespace tofn {
inline namespace cluster {

/// Notes the collectives that are requested from a cluster whose `noted` points to this object.
/// Only one thread may use it.
class RequestedCollectives {
 public:
  /// Notes a collective of `ranks` ranks. `is_measured`: a table gave its time; `is_carried`: a
  /// table of another collective did.
  void note(CollectiveKind kind, int ranks, bool is_measured, bool is_carried = false) {
    if (!is_measured) by_formula_.emplace(kind, ranks);
    any_is_measured_ = any_is_measured_ || is_measured;
    if (is_carried) carried_.insert(kind);
  }
  /// Notes that a collective ran in the network's switches, as requested.
  void note_network_reduction() { is_reduced_in_network_ = true; }
  /// True if any collective did.
  bool is_reduced_in_network() const { return is_reduced_in_network_; }
  /// Collectives whose time came from a table of all-reduce.
  const std::set<CollectiveKind>& carried() const { return carried_; }
  /// Collectives without a table, with their ranks.
  const std::set<std::pair<CollectiveKind, int>>& by_formula() const { return by_formula_; }
  /// True if a table gave the time of any collective.
  bool any_is_measured() const { return any_is_measured_; }

 private:
  std::set<CollectiveKind> carried_;
  std::set<std::pair<CollectiveKind, int>> by_formula_;
  bool any_is_measured_ = false;
  bool is_reduced_in_network_ = false;
};

}  // namespace cluster
}  // namespace tofn
