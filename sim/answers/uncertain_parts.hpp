#pragma once

#include <string>
#include <vector>

#include "sim/answers/time_uncertainties.hpp"

namespace tofn {
inline namespace answers {

/// Kinds of measurements that remove an uncertainty.
enum class Settling { Steps, NodeSteps, Collectives, Hours, Failures, Runs, Evaluations };

/// Words for the user: what to measure, and the option that takes it.
std::string measurement_words(Settling);

/// One uncertainty of a time, before its share is known.
struct UncertainPart {
  std::string name;
  Interval logarithm;   ///< of the time, at the 5 and 95 % points of the uncertainty
  double variance = 0;  ///< of the logarithm, with its part of the covariances
  Settling by;
};

/// Variance of a normal variate with these 5 and 95 % points.
double variance_between(const Interval& ends);

/// Sorts the parts and turns variances into shares. The remedy is the one kind of measurement that
/// leaves the least deviation if it removes all of its uncertainties.
TimeUncertainties collected_uncertainties(std::vector<UncertainPart>);

}  // namespace answers
}  // namespace tofn
