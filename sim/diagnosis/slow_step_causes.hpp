#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

/// Share of their bandwidth from which links are healthy.
inline constexpr double healthy_share = 0.95;
/// Severity, from 0 to 1, of a fault of links that leaves this share of their bandwidth.
double severity_of(double bandwidth_share);

/// All causes. To add one, add a row here.
std::span<const SlowStepCause> slow_step_causes();

}  // namespace diagnosis
}  // namespace tofn
