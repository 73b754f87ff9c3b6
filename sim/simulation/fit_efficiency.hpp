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

/// A step that somebody ran, with its time if they state it.
struct StepCase {
  Model model;
  Plan plan;
  Cluster cluster;
  std::optional<Seconds> measured;
  double measured_error = 0;  ///< relative standard error of `measured`
};

/// InputError if the plan does not divide the model.
StepTimes step_times(const StepCase&, const KernelProfile&);

/// log(predicted / measured) of one step, by the efficiency of matrix products from
/// `lowest_efficiency` to 1, at points evenly spaced in its logarithm.
struct EfficiencyCurve {
  std::array<double, 41> errors{};

  /// Interpolates linearly between the points, with an error of 1e-4 at most.
  double at(double efficiency) const;
};
inline constexpr double lowest_efficiency = 0.2;

/// Computes the curve of a measured step (asserted); all other figures of the profile stay.
EfficiencyCurve efficiency_curve(const StepCase&, KernelProfile);

/// Efficiency of matrix products that minimises the sum of squared errors. Requires at least one
/// curve.
double fit_efficiency(std::span<const EfficiencyCurve>);

}  // namespace simulation
}  // namespace tofn
