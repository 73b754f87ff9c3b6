#pragma once

#include <array>
#include <optional>
#include <span>

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// A step that somebody ran, and how long it took where they say so.
struct StepCase {
  Model model;
  Plan plan;
  Cluster cluster;
  std::optional<Seconds> measured;
  double measured_error = 0;  ///< relative standard error of `measured`
};

/// InputError where the plan does not divide the model.
StepTimes step_times(const StepCase&, const KernelProfile&);

/// log(predicted / measured) of one step at efficiencies of products from `lowest_efficiency` to 1,
/// evenly spaced in their logarithm.
struct EfficiencyCurve {
  std::array<double, 41> errors{};

  /// Linear between the points; 1e-4 off at most.
  double at(double efficiency) const;
};
inline constexpr double lowest_efficiency = 0.2;

/// The step must have been measured (asserted); the rest of the profile holds.
EfficiencyCurve efficiency_curve(const StepCase&, KernelProfile);

/// The efficiency of products with the least squares of these errors. Asks for at least one curve.
double fit_efficiency(std::span<const EfficiencyCurve>);

}  // namespace simulation
}  // namespace tofn
