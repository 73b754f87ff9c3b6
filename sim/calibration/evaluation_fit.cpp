#include "sim/calibration/evaluation_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tofn {
inline namespace calibration {
namespace {

/// Median deviation of an evaluation from the median of those with the same accelerators and plan:
/// 106 published rows of MLPerf Training v4.0 and v4.1.
constexpr double repeat_deviation = 0.036;

/// Sum of the equations' relative deviations, each at least `least`.
double misfit(std::span<const EvaluationEquation> equations, const EvaluationCost& cost,
              double least = 0) {
  double sum = 0;
  for (const auto& e : equations) {
    const double fitted = e.passes * cost.of(Seconds{e.forward_seconds}).base();
    sum += std::max(least, std::abs(fitted / e.observed_seconds - 1));
  }
  return sum;
}

/// The best multiple of the forward pass for a host time. The least sum of deviations is reached
/// where one equation holds exactly.
EvaluationCost best_with(std::span<const EvaluationEquation> equations, Seconds host) {
  EvaluationCost best{.host = host};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& e : equations) {
    const EvaluationCost tried{.host = host,
                               .per_forward = e.observed_seconds / e.passes / e.forward_seconds};
    const double sum = misfit(equations, tried);
    if (sum >= least) continue;
    least = sum;
    best = tried;
  }
  return best;
}

}  // namespace

EvaluationCost fit_evaluation(std::span<const EvaluationEquation> equations) {
  constexpr std::size_t least_equations = 3;
  const EvaluationCost device = best_with(equations, Seconds{});
  if (equations.size() < least_equations) return device;
  EvaluationCost both = device;
  for (const auto& e : equations) {
    const EvaluationCost tried = best_with(equations, Seconds{e.observed_seconds / e.passes});
    if (misfit(equations, tried) < misfit(equations, both)) both = tried;
  }
  // With exponential deviations, the likelihood is their sum to the power of -n. Deviations below
  // those of equal systems show nothing.
  const double gain =
      static_cast<double>(equations.size()) * std::log(misfit(equations, device, repeat_deviation) /
                                                       misfit(equations, both, repeat_deviation));
  return gain > 1 ? both : device;
}

}  // namespace calibration
}  // namespace tofn
