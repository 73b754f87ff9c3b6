#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/formats/step_logs/step_line.hpp"
#include "sim/formats/text/log_text.hpp"
#include "sim/formats/text/time_stamp.hpp"

namespace tofn {
inline namespace formats {

/// One printed time.
struct LoggedStep {
  double seconds = 0;  ///< of one step
  double steps = 1;    ///< number of steps that the printed time averages
  LogLine line{};
  StepLine figures{};   ///< all figures of the line
  StepLine rounding{};  ///< half a unit of the last digit of each figure
  std::optional<TimeStamp> clock{};
  bool is_cold = false;  ///< first step of a job, or after a restart
};

/// Steps of a run without warm-up and outliers.
struct SteadySteps {
  double seconds = 0;       ///< median of the printed times
  double spread = 0;        ///< robust standard deviation over the median
  double steps = 0;         ///< number of steps in these times
  std::size_t warm_up = 0;  ///< printed times left out at the start
  std::vector<LoggedStep> outliers{};
};

/// Relative distance from the median of the run's second half within which a time counts as warm.
inline constexpr double warm_band = 0.10;
/// Number of times from which the run's second half determines the warm-up.
inline constexpr std::size_t least_times = 4;
/// Outliers are more than this many robust deviations from the median, and more than
/// `least_outlier`.
inline constexpr double outlier_deviations = 5;
inline constexpr double least_outlier = 0.05;

/// Returns the steady steps of a run; requires at least one time. Warm-up is the times before the
/// first one within `warm_band` of the second half's median, at most half; of four or more times
/// always the first (it compiles and allocates). It also includes the first time after a start or a
/// restart unless it is within `warm_band` of the others. Outliers are checkpoints, evaluations and
/// hiccups. If the run `goes_on` from other steps, it has no warm-up.
SteadySteps steady_steps(std::span<const LoggedStep>, bool goes_on = false);

}  // namespace formats
}  // namespace tofn
