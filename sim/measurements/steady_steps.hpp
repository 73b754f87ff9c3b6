#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/measurements/log_text.hpp"
#include "sim/measurements/step_line.hpp"
#include "sim/measurements/time_stamp.hpp"

namespace tofn {
inline namespace measurements {

/// One printed time.
struct LoggedStep {
  double seconds = 0;  ///< of one step
  double steps = 1;    ///< that the printed time is the mean of
  LogLine line{};
  StepLine said{};      ///< all that the line says
  StepLine rounding{};  ///< half a unit of the last digit of each figure of it
  std::optional<TimeStamp> clock{};
  bool is_cold = false;  ///< the first of a job, or after a restart
};

/// What is left of a run's steps without its start and without what interrupts it.
struct SteadySteps {
  double seconds = 0;       ///< median of the printed times
  double spread = 0;        ///< robust standard deviation over the median
  double steps = 0;         ///< that these times are of
  std::size_t warm_up = 0;  ///< printed times left out at the start
  std::vector<LoggedStep> outliers{};
};

/// How far from the median of the run's second half a time may lie to be warm.
inline constexpr double warm_band = 0.10;
/// Times from which a run's second half tells its warm-up.
inline constexpr std::size_t least_times = 4;
/// Outliers lie further from the median than this many robust deviations, and than `least_outlier`.
inline constexpr double outlier_deviations = 5;
inline constexpr double least_outlier = 0.05;

/// Warm-up: the times before the first within `warm_band` of the second half's median, of four or
/// more times always the first (it compiles and allocates), never more than half; and the first
/// after a start or a restart where it is not within `warm_band` of the others. Outliers are
/// checkpoints, evaluations and hiccups. Needs at least one time. Where it `goes_on` from other
/// steps there is no warm-up.
SteadySteps steady_steps(std::span<const LoggedStep>, bool goes_on = false);

}  // namespace measurements
}  // namespace tofn
