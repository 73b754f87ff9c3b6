#pragma once

#include <optional>
#include <string>

#include "sim/core/quantity.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {

/// A run that was measured: what calibration learns from. Absent: not recorded.
struct Observation {
  RunDescription run;
  std::string origin;           ///< `organisation/system`
  std::optional<Seconds> step;  ///< steady, without evaluation and start-up
  /// Relative standard error of a step that is the median of single steps on one machine, with no
  /// evaluation among them; absent: the mean over a run, which other servers repeat.
  std::optional<double> step_error{};
  bool calibrates_step = true;             ///< false: other observations stand for its step
  std::optional<Seconds> evaluation_each;  ///< exposed, per evaluation
  std::optional<Seconds> fixed;            ///< run time outside steps and evaluations
  std::optional<double> samples;           ///< mean of the runs
  std::optional<double> samples_deviation;
};

}  // namespace training
}  // namespace tofn
