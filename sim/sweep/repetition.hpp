#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/parallelism/plan.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace sweep {

/// An axis whose value has no effect with a point's sizes, so that an earlier point gives the same.
struct Repetition {
  const Axis* axis = nullptr;
  std::string_view need;  ///< what the axis needs to have an effect
  std::string value;      ///< value without effect
  std::string as;         ///< its value at the earlier point

  std::string text() const;
};

/// Finds points that differ from an earlier one only in values without effect. The first value of
/// such an axis stands for all, unless each value has its own rows because the axis is in
/// `for_each` or outside the axes from which `best` takes one point.
class Repetitions {
 public:
  explicit Repetitions(const Sweep&);

  /// Repetition of an earlier point, if there is one. `plan` is the one that `make_plan` returned.
  std::optional<Repetition> find(const Plan&, const Positions&) const;

 private:
  struct PlanAxis {
    PlacedAxis placed;
    std::string_view key;  ///< in the plan's file
  };
  struct Idle {
    const Axis* axis = nullptr;
    std::string_view need;
  };
  const Idle* first_idle(const std::vector<Idle>&, std::size_t group) const;
  std::optional<std::size_t> earlier(const std::vector<Idle>&, std::size_t group,
                                     std::size_t position) const;

  const Sweep& sweep_;
  std::vector<PlanAxis> plan_axes_;  ///< of groups in which one position may stand for another
};

}  // namespace sweep
}  // namespace tofn
