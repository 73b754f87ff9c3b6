#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/job_answer.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/answers/usual_hours.hpp"
#include "sim/answers/variable_inputs.hpp"

// On what a prediction hangs: by how much each figure moves it, and whose doubt makes its interval.
// The plan and the work hold.

namespace tofn {
inline namespace answers {

/// What a run takes.
struct Outcome {
  double seconds = 0;
  double usd = 0;  ///< 0: no price is known
  double kilowatt_hours = 0;
};
struct OutcomeFigure {
  std::string_view name;
  double Outcome::*value;
};
inline constexpr std::array outcome_figures{OutcomeFigure{"time", &Outcome::seconds},
                                            OutcomeFigure{"cost", &Outcome::usd},
                                            OutcomeFigure{"energy", &Outcome::kilowatt_hours}};

/// What one figure moves, in the order of `outcome_figures`.
struct Elasticity {
  VariableInput input;
  double change = 0;  ///< of the figure: a tenth more, or as much as it can; a count twice
  std::array<double, outcome_figures.size()> effect{};      ///< of that change, relative
  std::array<double, outcome_figures.size()> elasticity{};  ///< per cent for each per cent
};

/// One doubt of the time, all others at their means.
struct TimeUncertainty {
  std::string name;
  Interval factor;          ///< of the time at the doubt's 5 and 95 % points
  double share = 0;         ///< of the variance of the logarithm of the time
  std::string measurement;  ///< what would settle it
};

/// A measurement, and what it would leave.
struct Remedy {
  std::string measurement;
  double deviation = 0;     ///< of the logarithm of the time, after it
  bool is_a_bound = false;  ///< what it settles is taken for known exactly
};

struct Sensitivity {
  Outcome expected;
  std::vector<Elasticity> elasticities;  ///< strongest effect first; those without one are left out
  std::vector<TimeUncertainty> uncertainties;  ///< the largest share first
  double deviation = 0;                        ///< of the logarithm of the time, from all of them
  std::optional<Remedy> remedy;  ///< which leaves the least; absent: no doubt is known
};

/// Of a run of a model. `profile`: of its steps.
Sensitivity job_sensitivity(const RunEstimate&, const KernelProfile& profile);

/// Of a benchmark's run, whose calibrated parameters hold.
Sensitivity workload_sensitivity(const BenchmarkRun&, const ExpenseOptions&);

}  // namespace answers
}  // namespace tofn
