#include "sim/sweep/varied_plan.hpp"

#include <set>

namespace tofn {
inline namespace sweep {

VariedPlan::VariedPlan(const VariedDocument& document) : document_(document) {
  std::map<std::size_t, RowGroup> groups;
  std::set<std::size_t> others;
  for (const PlacedAxis& placed : document.name_axes()) others.insert(placed.group);
  for (const VariedDocument::Change& change : document.changes()) {
    const std::size_t group = change.axis.group;
    if (TakeRow take = taking_row(change.path)) {
      groups[group].group = group;
      groups[group].rows.push_back(std::move(take));
    } else {
      others.insert(group);
    }
  }
  for (auto& [group, rows] : groups)
    if (!others.contains(group)) row_groups_.push_back(std::move(rows));
}

}  // namespace sweep
}  // namespace tofn
