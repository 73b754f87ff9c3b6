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
inline namespace answers {

/// What a cause is a matter of.
enum class SlowStepGroup { Flag, Batch, Link, Host, Node };
inline constexpr std::array<std::pair<std::string_view, SlowStepGroup>, 5> slow_step_groups{
    {{"flag", SlowStepGroup::Flag},
     {"batch", SlowStepGroup::Batch},
     {"link", SlowStepGroup::Link},
     {"host", SlowStepGroup::Host},
     {"node", SlowStepGroup::Node}}};

/// Links whose collectives can be measured apart from a step.
enum class MeasuredLinks { None, Network, ScaleUp };

/// A job that a cause changes.
struct SuspectJob {
  StepCase step;
  KernelProfile stack;
};

/// A known reason for steps that are longer than such jobs take: what it changes, and what to say.
struct SlowStepCause {
  std::string_view name;
  SlowStepGroup group = SlowStepGroup::Flag;
  /// The row of a plan that it is about: where that is stated, it is no cause. Empty: none.
  std::string_view plan_row;
  /// Changes the job by a gravity from 0 to 1; false where the job cannot have it.
  bool (*change)(SuspectJob&, double gravity);
  /// `bandwidth x {:.2f}`: what the gravity is; empty: it is there or not.
  std::string (*amount)(double gravity) = nullptr;
  std::string_view sentence;
  std::string_view tells;                     ///< what would settle it
  double odds = 1;                            ///< beforehand, over the others'
  MeasuredLinks links = MeasuredLinks::None;  ///< that it is about
};

/// Every cause. Add one here: a row.
std::span<const SlowStepCause> slow_step_causes();

/// A cause that could make a step as long as it was.
struct FittingCause {
  const SlowStepCause* cause = nullptr;  ///< null: none, the prediction is off by so much
  double factor = 1;                     ///< on the step, at the gravity that comes nearest
  std::string amount{};                  ///< that gravity; empty: it has none
  double probability = 0;
};

/// By how much a step is longer than predicted.
struct ExcessOfStep {
  double factor = 1;        ///< measured over predicted
  double deviation = 0.1;   ///< of the logarithm of the prediction
  bool came_later = false;  ///< most of it was not there when the job began, as flags are
  /// Whether collectives over them were measured as slow; absent: they were not measured.
  std::optional<bool> network_is_slow{}, scale_up_is_slow{};
};

/// What explains it, the likeliest first, those below 1 in 50 left out. `stated`: rows of the plan
/// that are known to be as predicted.
std::vector<FittingCause> fitting_causes(const SuspectJob&, const ExcessOfStep&,
                                         const std::vector<std::string>& stated);

}  // namespace answers
}  // namespace tofn
