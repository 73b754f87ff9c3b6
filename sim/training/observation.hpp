#pragma once

#include <optional>
#include <string>

#include "sim/core/quantity.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {

/// A measured run for calibration. A figure is absent if it was not recorded.
struct Observation {
  RunDescription run;
  std::string origin;           ///< `organisation/system`
  std::optional<Seconds> step;  ///< steady step, without evaluation and start-up
  /// Relative standard error of a step that is the median of single steps on one machine, without
  /// evaluations; absent if the step is the mean over a run, which other servers repeat.
  std::optional<double> step_error{};
  bool calibrates_step = true;  ///< false: other observations of the same step are used instead
  std::optional<Seconds> evaluation_each;  ///< exposed time of one evaluation
  std::optional<Seconds> fixed;            ///< run time outside steps and evaluations
  std::optional<double> samples;           ///< mean of the runs
  std::optional<double> samples_deviation;
};

}  // namespace training
}  // namespace tofn
