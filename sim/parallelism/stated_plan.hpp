#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/parallelism/plan.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace parallelism {

/// A split into replicas for any number of accelerators; data parallelism takes the rest.
struct StatedPlan {
  std::string name;
  /// Split of one replica and one accumulation step, including the stated settings.
  Plan split{};
  std::optional<int> gradient_accumulation{};  ///< absent: as many as the batch needs
  std::optional<int> micro_batch{};            ///< absent: set by the batch
  RunSettings settings{};                      ///< run settings that the plan states
  std::vector<std::string> stated{};           ///< rows of `visit_plan` that are stated, by name
  /// Fields that are not stated have the defaults of `Plan` and are not searched.
  bool is_whole = false;

  /// True if the search must keep that row, `micro_batch` or `gradient_accumulation`.
  bool fixes(std::string_view name) const;
};

/// Returns the plan on that many accelerators. If the file states a micro-batch but no
/// accumulation, the batch sets the number of steps. InputError if the sizes do not match, and as
/// `make_plan` throws.
Plan plan_on(const StatedPlan&, int accelerators, double global_batch);

}  // namespace parallelism
}  // namespace tofn
