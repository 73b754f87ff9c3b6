#pragma once

#include <vector>

#include "sim/answers/next_measurement.hpp"
#include "sim/answers/plan_answer.hpp"

namespace tofn {
inline namespace answers {

/// Least by which a measurement raises the chance of a right choice, if it is worth naming
/// (assumed).
inline constexpr double least_choice_gain = 0.005;

/// Uncertainty of the choice between the best run and its runner-up. The logarithm of the ratio of
/// their objectives is taken as normal.
struct ChoiceUncertainty {
  /// Mean, of the runner-up's objective over the best's; below 0 if draws favour the runner-up.
  double logarithm = 0;
  double deviation = 0;           ///< of that logarithm
  std::vector<Measurement> next;  ///< measurements that would make the choice surer, best first

  /// Chance that the run chosen today is the right one.
  double chance() const;
  double chance_after(const Measurement&) const;
};

/// Chance that the lesser of two values is chosen after a measurement that leaves of the deviation
/// of their difference the part `left`: E[Phi(|m| / left)] with m ~ N(difference, deviation^2 -
/// left^2).
double chance_of_right_choice(double difference, double deviation, double left);

/// Variance of the logarithm of the ratio of two runs' objectives that their draws leave out. Draws
/// share the whole uncertainty of the software and hold no price; this is what chips, plans, runs
/// and prices have of their own.
double undrawn_variance(const RunSearch&, const RunCandidate&, const RunCandidate&);

/// Works out the uncertainty of a choice that has a best run and a runner-up (asserted). Inputs
/// that both runs share move together.
ChoiceUncertainty choice_uncertainty(const RunSearch&, const RunChoice&);

}  // namespace answers
}  // namespace tofn
