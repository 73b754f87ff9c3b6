#pragma once

#include <optional>
#include <set>
#include <utility>

#include "sim/core/collective_kind.hpp"

namespace tofn {
inline namespace cluster {

/// Collectives, each with its number of ranks.
using RanksOfCollectives = std::set<std::pair<CollectiveKind, int>>;

/// Measured table from which the time of a collective comes.
struct TableUse {
  bool is_carried = false;  ///< it is of another collective
  bool is_far = false;      ///< its sizes, or node counts, are far from those of the message
};

/// Notes the collectives that are requested from a cluster whose `noted` points to this object.
/// Only one thread may use it.
class RequestedCollectives {
 public:
  /// Notes a collective of `ranks` ranks. `use` is absent if no table gave its time.
  void note(CollectiveKind kind, int ranks, std::optional<TableUse> use) {
    if (!use) by_formula_.emplace(kind, ranks);
    any_is_measured_ = any_is_measured_ || (use && !use->is_far);
    if (use && use->is_carried) carried_.insert(kind);
    if (use && use->is_far) far_.emplace(kind, ranks);
  }
  /// Notes that a collective ran in the network's switches, as requested.
  void note_network_reduction() { is_reduced_in_network_ = true; }
  /// True if any collective did.
  bool is_reduced_in_network() const { return is_reduced_in_network_; }
  /// Collectives whose time came from a table of all-reduce.
  const std::set<CollectiveKind>& carried() const { return carried_; }
  /// Collectives without a table, with their ranks.
  const RanksOfCollectives& by_formula() const { return by_formula_; }
  /// Collectives with messages far outside what their table measured, with their ranks.
  const RanksOfCollectives& far() const { return far_; }
  /// True if a table gave the time of any collective that is not far outside it.
  bool any_is_measured() const { return any_is_measured_; }

 private:
  std::set<CollectiveKind> carried_;
  RanksOfCollectives by_formula_;
  RanksOfCollectives far_;
  bool any_is_measured_ = false;
  bool is_reduced_in_network_ = false;
};

}  // namespace cluster
}  // namespace tofn
