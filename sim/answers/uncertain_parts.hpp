#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/answers/next_measurement.hpp"
#include "sim/answers/sensitivity_answer.hpp"

namespace tofn {
inline namespace answers {

/// One uncertainty of a time.
struct UncertainPart {
  std::string name;
  Interval logarithm;   ///< of the time, at the 5 and 95 % points of this variance
  double variance = 0;  ///< of the logarithm, with its part of the covariances
  Settling by;
};

/// Variance of a logarithm with these 5 and 95 % points.
double variance_of(const Interval& ends);

/// Adds the uncertainty of a price unless it is 0.
void add_price(std::vector<UncertainPart>&, double deviation);

/// Plans of the same replica on whole nodes that fit the memory, with at least twice as many
/// replicas each time, up to all; ascending, and empty if none fits.
std::vector<Plan> plans_to_measure(const SimulatedStep&);
/// Option that states the time of a step measured under one of these plans.
std::string observed_words(const Plan& measured);
/// Options of the plan itself, without which another might be chosen for the measured size.
std::string plan_options(const SimulatedStep&);

/// Accelerator-hours that each kind of measurement takes, in the order of `Settling`; below 0: it
/// is none that can be made for this run.
using HoursTaken = std::array<double, settled_by.size()>;

/// Sorts the parts, turns variances into shares, and ranks the measurements: of each kind, what
/// remains if it removes all of its uncertainties.
TimeUncertainties collected(std::vector<UncertainPart>, const HoursTaken&);

}  // namespace answers
}  // namespace tofn
