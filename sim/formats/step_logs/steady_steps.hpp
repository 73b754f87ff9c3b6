#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/step_line.hpp"
#include "sim/formats/step_logs/step_log.hpp"
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
  bool is_cold = false;             ///< first step of a job, or after a restart
  bool follows_evaluation = false;  ///< since the step before
};

/// Steps of a run, or of one of its regimes, without warm-up and outliers.
struct SteadySteps {
  double seconds = 0;       ///< median of the printed times
  double spread = 0;        ///< robust standard deviation over the median
  double steps = 0;         ///< number of steps in these times
  std::size_t warm_up = 0;  ///< printed times left out at the start
  std::vector<LoggedStep> outliers{};
  bool has_two_levels = false;  ///< the outliers are the less frequent of two levels
  OutlierSteps cost{};
  std::vector<StepRegime> regimes{};  ///< in order, if these steps are of one of several
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
/// first one within `warm_band` of the second half's median, at most half, and at most ten or a
/// tenth; of four or more times always the first (it compiles and allocates), and only that if
/// times do not settle so soon. It also includes the first time after a start or a restart unless
/// it is within `warm_band` of the others. Outliers are checkpoints, evaluations and hiccups, or
/// the less frequent of two levels. If the run `goes_on` from other steps, it has no warm-up.
SteadySteps steady_steps(std::span<const LoggedStep>, bool goes_on = false);

/// Returns the remark on the times left out as outliers or as a second level, of all `times`.
std::string outliers_text(const SteadySteps&, std::size_t times);
/// Returns the remark that too few times determine the warm-up; empty if none is needed.
std::string unsettled_text(std::span<const LoggedStep>, const SteadySteps&);

/// Returns the indices at which the level of a run's times changes: the medians on both sides
/// differ by more than 5 %, and nine of ten times of each side lie less than a quarter of the way
/// to the other's. Levels of fewer than 5 times, or a twentieth of the run, do not count; at the
/// start neither do levels of fewer than 10, or a tenth, since these are warm-up (assumed). Empty
/// if one level holds or times grow step by step.
std::vector<std::size_t> changes_of(Values seconds);

/// Splits a run's steps where their level changes; one part if it does not. A job's first step is
/// in the part of the steps behind it.
std::vector<std::span<const LoggedStep>> regimes_of(std::span<const LoggedStep>);

/// Time and iterations between two lines, by their time stamps.
struct ClockInterval {
  double seconds = 0;
  double iterations = 0;
  double resolution = 0;  ///< seconds, of both stamps
};
/// Absent unless both lines have a time stamp and an iteration.
std::optional<ClockInterval> clock_between(const LoggedStep& from, const LoggedStep& to);

}  // namespace formats
}  // namespace tofn
