#include "sim/sweep/repetition.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace sweep {
namespace {

constexpr std::string_view plan_path = "plan.";

/// True if each position of a group has its own rows.
bool stands_apart(const Sweep& sweep, std::size_t group) {
  if (sweep.best && group < sweep.groups.size() - sweep.inner_groups) return true;
  if (!sweep.select) return false;
  const auto& axes = sweep.groups[group].axes;
  return std::ranges::any_of(sweep.select->apart, [&](const SweepText& column) {
    return std::ranges::any_of(axes, [&](const Axis& axis) { return axis.name == column.text; });
  });
}

}  // namespace

std::string Repetition::text() const {
  return fmt::format("{} {} does nothing where it lacks {}: the same as with {} {}", axis->name,
                     value, need, axis->name, as);
}

Repetitions::Repetitions(const Sweep& sweep) : sweep_(sweep) {
  for (const PlacedAxis& placed : placed_axes(sweep)) {
    const std::string_view path = placed.axis->path;
    if (path.starts_with(plan_path) && !stands_apart(sweep, placed.group))
      plan_axes_.push_back({placed, path.substr(plan_path.size())});
  }
}

std::optional<Repetition> Repetitions::find(const Plan& plan, const Positions& positions) const {
  if (plan_axes_.empty()) return {};
  std::vector<Idle> idle;
  visit_idle(plan, [&](const PlanField& field, auto) {
    for (const PlanAxis& axis : plan_axes_)
      if (axis.key == field.key) idle.push_back({axis.placed.axis, field.need.words});
  });
  for (const PlanAxis& axis : plan_axes_) {
    const std::size_t group = axis.placed.group;
    const Idle* first = first_idle(idle, group);
    if (first == nullptr) continue;
    if (const auto as = earlier(idle, group, positions[group]))
      return Repetition{first->axis, first->need, first->axis->values[positions[group]],
                        first->axis->values[*as]};
  }
  return {};
}

const Repetitions::Idle* Repetitions::first_idle(const std::vector<Idle>& idle,
                                                 std::size_t group) const {
  for (const Axis& axis : sweep_.groups[group].axes)
    for (const Idle& each : idle)
      if (each.axis == &axis) return &each;
  return nullptr;
}

/// First position with the same values on those axes of the group that have an effect.
std::optional<std::size_t> Repetitions::earlier(const std::vector<Idle>& idle, std::size_t group,
                                                std::size_t position) const {
  const auto& axes = sweep_.groups[group].axes;
  const auto is_same = [&](std::size_t other) {
    return std::ranges::all_of(axes, [&](const Axis& axis) {
      return axis.values[other] == axis.values[position] ||
             std::ranges::any_of(idle, [&](const Idle& each) { return each.axis == &axis; });
    });
  };
  for (std::size_t other = 0; other < position; ++other)
    if (is_same(other)) return other;
  return {};
}

}  // namespace sweep
}  // namespace tofn
