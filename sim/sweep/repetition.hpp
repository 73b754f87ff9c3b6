#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/parallelism/plan.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace sweep {

/// An axis whose value does nothing at a point's sizes, where an earlier point is the same.
struct Repetition {
  const Axis* axis = nullptr;
  std::string_view need;  ///< what the axis would need to do anything
  std::string value;      ///< that does nothing
  std::string as;         ///< its value at the earlier point

  std::string text() const;
};

/// Which points differ from an earlier one in what does nothing at their sizes alone. The first
/// value of such an axis stands for all, unless each has rows of its own: it stands in `for_each`,
/// or outside of what `best` takes one point of.
class Repetitions {
 public:
  explicit Repetitions(const Sweep&);

  /// `plan`: as it was made (`make_plan`).
  std::optional<Repetition> find(const Plan&, const Positions&) const;

 private:
  struct PlanAxis {
    PlacedAxis placed;
    std::string_view key;  ///< of the plan's file
  };
  struct Idle {
    const Axis* axis = nullptr;
    std::string_view need;
  };
  const Idle* first_idle(const std::vector<Idle>&, std::size_t group) const;
  std::optional<std::size_t> earlier(const std::vector<Idle>&, std::size_t group,
                                     std::size_t position) const;

  const Sweep& sweep_;
  std::vector<PlanAxis> plan_axes_;  ///< of groups whose positions may stand for one another
};

}  // namespace sweep
}  // namespace tofn
