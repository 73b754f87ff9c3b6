#pragma once

#include <vector>

#include "sim/config/load_plan.hpp"
#include "sim/sweep/varied.hpp"

namespace tofn {
inline namespace sweep {

/// Plans of a sweep. Each value of an axis over a row of the plan is read once, in the plan that
/// has the first values of the other axes, and a point's plan takes its rows from these. Other
/// keys, such as settings, are read with each of their values. The document must outlive this
/// object.
class VariedPlan {
 public:
  explicit VariedPlan(const VariedDocument& document);

  /// Returns the same as `read(positions)`, including its InputError.
  template <class Read>
  StatedPlan at(const Positions& positions, const Read& read) {
    Positions first = positions;
    for (const RowGroup& group : row_groups_) first[group.group] = 0;
    const auto read_once = [&](const Positions& there) -> const StatedPlan& {
      return read_.at(document_.variant(there), [&] { return read(there); });
    };
    try {
      StatedPlan plan = read_once(first);
      for (const RowGroup& group : row_groups_) {
        if (positions[group.group] == 0) continue;
        first[group.group] = positions[group.group];
        const StatedPlan& from = read_once(first);
        for (const TakeRow& take : group.rows) take(plan, from);
        first[group.group] = 0;
      }
      return plan;
    } catch (const InputError&) {
      return read(positions);
    }
  }

 private:
  /// Axes that move together and change only rows.
  struct RowGroup {
    std::size_t group = 0;
    std::vector<TakeRow> rows;
  };

  const VariedDocument& document_;
  std::vector<RowGroup> row_groups_;
  Varied<StatedPlan> read_;
};

}  // namespace sweep
}  // namespace tofn
