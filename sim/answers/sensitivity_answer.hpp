#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/model_run.hpp"
#include "sim/answers/next_measurement.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/answers/typical_hours.hpp"
#include "sim/answers/variable_inputs.hpp"

// Sensitivity of a prediction: how much each figure moves it, and which uncertainty makes its
// interval wide. The plan and the work stay fixed.

namespace tofn {
inline namespace answers {

/// Time, cost and energy of a run or step.
struct Outcome {
  double seconds = 0;
  double usd = 0;  ///< 0 if no price is known
  double kilowatt_hours = 0;
};
struct OutcomeFigure {
  std::string_view name;
  double Outcome::*value;
};
inline constexpr std::array outcome_figures{OutcomeFigure{"time", &Outcome::seconds},
                                            OutcomeFigure{"cost", &Outcome::usd},
                                            OutcomeFigure{"energy", &Outcome::kilowatt_hours}};

/// Effect of one figure on the outcome, in the order of `outcome_figures`.
struct Elasticity {
  VariableInput input;
  double change = 0;  ///< relative: 0.1, less at the end of its range, 1 for a count
  std::array<double, outcome_figures.size()> effect{};      ///< of the outcome, relative
  std::array<double, outcome_figures.size()> elasticity{};  ///< per cent for each per cent
};

/// One uncertainty of the time, with all others at their means.
struct TimeUncertainty {
  std::string name;
  Interval factor;   ///< of the time, at the 5 and 95 % points of its share of the variance
  double share = 0;  ///< of the variance of the logarithm of the time
  Settling by{};     ///< kind of measurement that would remove it
};

struct Sensitivity {
  Outcome expected;
  std::vector<Elasticity> elasticities;  ///< strongest effect first; without those that have none
  std::vector<TimeUncertainty> uncertainties;  ///< largest share first
  double deviation = 0;           ///< of the logarithm of the time, from all uncertainties
  std::vector<Measurement> next;  ///< measurements that would narrow it, best first
};

/// Sensitivity of a run; `stack` is that of its steps. Parameters of a benchmark's run that were
/// calibrated stay as they are.
Sensitivity sensitivity_of(const RunEstimate&, const KernelProfile& stack);

/// Uncertainties that make an interval wide, of a time or, with that of the price, of a cost.
struct TimeUncertainties {
  std::vector<TimeUncertainty> all;  ///< largest share first
  double deviation = 0;              ///< of the logarithm of the time
  std::vector<Measurement> next;     ///< measurements that would narrow it, best first (`ranked`)
};

/// Standard deviation of the logarithm of the price of a cluster that has none of its own and takes
/// its accelerator's: that of all known prices of this accelerator and term. 0 if the price is
/// stated or the cluster's own, or if fewer than two are known.
double price_deviation(const Cluster&, const ExpenseOptions&, std::span<const Cluster* const> all);

/// Uncertainties of a run, or of its step if it is not known what it trains. The fitted uncertainty
/// of a stack, for the steps that take most of the time, is divided among its figures and the
/// discrepancy; correlated figures each get their share of the variance of the sum. `stack`: that
/// of the steps; unused if their kernel times were measured.
TimeUncertainties uncertainties_of(const RunEstimate&, const KernelProfile& stack,
                                   double price_deviation = 0);

}  // namespace answers
}  // namespace tofn
