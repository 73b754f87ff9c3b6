#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace diagnosis {

/// Area that a cause belongs to.
enum class SlowStepGroup { Flag, Batch, Link, Host, Node };
inline constexpr std::array<std::pair<std::string_view, SlowStepGroup>, 5> slow_step_groups{
    {{"flag", SlowStepGroup::Flag},
     {"batch", SlowStepGroup::Batch},
     {"link", SlowStepGroup::Link},
     {"host", SlowStepGroup::Host},
     {"node", SlowStepGroup::Node}}};

/// Links whose collectives can be measured apart from a step.
enum class MeasuredLinks { None, Network, ScaleUp };

/// A job that a cause can be applied to.
struct SuspectJob {
  StepCase step;
  KernelProfile stack;
};

/// A known reason for steps longer than in similar jobs: its effect on a job, and the text for
/// people.
struct SlowStepCause {
  std::string_view name;
  SlowStepGroup group = SlowStepGroup::Flag;
  /// Plan row that the cause is about; if that row is stated, the cause is ruled out. Empty: none.
  std::string_view plan_row;
  /// Applies the cause with a severity from 0 to 1; returns false if the job cannot have it.
  bool (*change)(SuspectJob&, double gravity);
  /// Text for a severity, such as `bandwidth x {:.2f}`; nullptr if the cause has no degrees.
  std::string (*amount)(double gravity) = nullptr;
  std::string_view sentence;
  std::string_view tells;                     ///< measurement that would confirm it
  double odds = 1;                            ///< prior, relative to the other causes
  MeasuredLinks links = MeasuredLinks::None;  ///< links that the cause is about
};

/// All causes. To add one, add a row here.
std::span<const SlowStepCause> slow_step_causes();

/// A cause that could explain the step's length.
struct FittingCause {
  const SlowStepCause* cause = nullptr;  ///< nullptr: no cause, the prediction is off by as much
  double factor = 1;                     ///< on the step, at the best-fitting severity
  std::string amount{};                  ///< that severity as text; empty if it has none
  double probability = 0;
};

/// Excess of a measured step over its prediction.
struct ExcessOfStep {
  double factor = 1;        ///< measured over predicted
  double deviation = 0.1;   ///< of the logarithm of the prediction
  bool came_later = false;  ///< most of it began later than the job, unlike that of flags
  /// True if collectives over these links were measured as slow; absent if they were not measured.
  std::optional<bool> network_is_slow{}, scale_up_is_slow{};
};

/// Returns the causes that explain the excess, likeliest first, without those below 2 %. `stated`:
/// plan rows that are known to be as predicted.
std::vector<FittingCause> fitting_causes(const SuspectJob&, const ExcessOfStep&,
                                         const std::vector<std::string>& stated);

}  // namespace diagnosis
}  // namespace tofn
