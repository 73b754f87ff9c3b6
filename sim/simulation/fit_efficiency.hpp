#pragma once

#include <array>
#include <span>

#include "sim/simulation/step_case.hpp"

namespace tofn {

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

}  // namespace tofn
