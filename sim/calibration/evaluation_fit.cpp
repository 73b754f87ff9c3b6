#include "sim/calibration/evaluation_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tofn {
inline namespace calibration {
namespace {

/// Sum of the equations' relative deviations.
double misfit(std::span<const EvaluationEquation> equations, const EvaluationCost& cost) {
  double sum = 0;
  for (const auto& e : equations)
    sum += std::abs(e.passes * cost.of(Seconds{e.forward_seconds}).base() / e.observed_seconds - 1);
  return sum;
}

/// True if passes of different lengths take the host's time. Passes of one length show nothing of
/// the host.
bool shows_host(std::span<const EvaluationEquation> equations, const EvaluationCost& cost) {
  constexpr double different = 1.1;  // ratio of two forward passes, assumed
  double shortest = std::numeric_limits<double>::infinity();
  double longest = 0;
  for (const auto& e : equations) {
    if (cost.per_forward * e.forward_seconds >= cost.host.base()) continue;
    shortest = std::min(shortest, e.forward_seconds);
    longest = std::max(longest, e.forward_seconds);
  }
  return longest > different * shortest;
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
    if (shows_host(equations, tried) && misfit(equations, tried) < misfit(equations, both))
      both = tried;
  }
  // With exponential deviations, the likelihood is their sum to the power of -n.
  constexpr double exact = 1e-9;
  const double gain =
      static_cast<double>(equations.size()) *
      std::log((misfit(equations, device) + exact) / (misfit(equations, both) + exact));
  return gain > 1 ? both : device;
}

}  // namespace calibration
}  // namespace tofn
