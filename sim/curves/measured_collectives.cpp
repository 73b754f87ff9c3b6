#include "sim/curves/measured_collectives.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tofn {
inline namespace curves {
namespace {

/// Node count from which on other counts behave alike.
constexpr int several = 4;

/// True if the counts around or below `nodes` determine its curve.
bool tells(const NodesFit& fit, int nodes) {
  if (fit.measured.contains(nodes)) return true;
  const auto above = fit.measured.upper_bound(nodes);
  const auto first = fit.measured.upper_bound(1);
  if (above == first) return false;  // nothing below except one node
  if (above != fit.measured.end()) return true;
  const int most = fit.measured.rbegin()->first;
  return most >= several && first->first < most;
}

/// The nearest measured count of `several` or more nodes; 0 if there is none.
int nearest_of_several(const NodesFit& fit, int nodes) {
  const auto above = fit.measured.lower_bound(nodes);
  if (above != fit.measured.begin() && std::prev(above)->first >= several)
    return std::prev(above)->first;
  return above != fit.measured.end() && above->first >= several ? above->first : 0;
}

}  // namespace

MeasuredCollectives::MeasuredCollectives(std::span<const CollectiveTable> tables) {
  std::map<std::pair<CollectiveKind, int>, std::vector<CollectiveTable>> groups;
  for (const CollectiveTable& table : tables)
    if (is_free_choice(table))
      groups[{table.collective, table.ranks / table.nodes}].push_back(table);
  for (const auto& [key, group] : groups) fits_.push_back(fit_nodes(group));
}

bool MeasuredCollectives::has(CollectiveKind kind) const {
  return std::ranges::any_of(fits_, [&](const NodesFit& fit) { return fit.collective == kind; });
}

std::optional<NodesCurve> MeasuredCollectives::find(CollectiveKind kind, int ranks_per_node,
                                                    int nodes) const {
  for (const NodesFit& fit : fits_) {
    if (fit.collective != kind || fit.ranks_per_node != ranks_per_node) continue;
    if (tells(fit, nodes)) return NodesCurve{fit.curve(nodes), nodes};
    const int nearest = nodes > 1 ? nearest_of_several(fit, nodes) : 0;
    if (nearest == 0) return {};
    return NodesCurve{fit.measured.at(nearest).curve, nearest};
  }
  return {};
}

}  // namespace curves
}  // namespace tofn
