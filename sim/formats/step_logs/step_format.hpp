#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/step_logs/steady_steps.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// Steps of one configuration, as a format's reader finds them.
struct LoggedSteps {
  std::string source{};  ///< empty: the file
  LoggedSizes sizes{};
  std::vector<LoggedStep> steps{};    ///< in the order of execution
  std::optional<double> spread{};     ///< stated, for a figure that is already a median
  bool is_one_figure = false;         ///< a row of a table, from which nothing is left out
  std::optional<double> iteration{};  ///< the last one, if step lines state none
  JobEnd end{};
  LogLine line{};
  std::string unknown{};  ///< why no step has a time; empty if one has
};

struct LoggedRuns {
  std::string format{};
  std::vector<LoggedSteps> runs{};
  std::vector<std::string> remarks{};
};

/// A format of training logs: how to detect it, and how to read it. A new one is a file of its own
/// and a row in step_log.cpp; a program that prints a line per step is a row in step_dialects.cpp.
struct StepFormat {
  std::string_view name;
  bool (*fits)(const LogText&);
  LoggedRuns (*read)(const LogText&, const StepHints&);
};

bool is_mllog_steps(const LogText&);
LoggedRuns read_mllog_steps(const LogText&, const StepHints&);
bool is_printed_steps(const LogText&);
LoggedRuns read_printed_steps(const LogText&, const StepHints&);
/// Reads the steps of a log that a program printed by that dialect.
LoggedRuns printed_runs(const LogText&, const StepDialect&);
bool is_trainer_summary(const LogText&);
LoggedRuns read_trainer_summary(const LogText&, const StepHints&);
bool is_progress_bar(const LogText&);
LoggedRuns read_progress_bar(const LogText&, const StepHints&);
bool is_step_table(const LogText&);
LoggedRuns read_step_table(const LogText&, const StepHints&);

inline constexpr const char* half_written_text =
    "left out: the last line has no end, and a figure of it may be cut";

/// True for a time in seconds above 0 and at most a million.
inline bool is_step_time(double seconds) {
  constexpr double longest = 1e6;
  return seconds > 0 && seconds <= longest;
}

/// Returns warnings that explain slow or lost steps, the most important first (rows in
/// step_survey.cpp).
std::vector<LogWarning> slow_warnings(const LogText&);

/// Whole numbers consistent with the figures of all lines of a run, within their last digits; low
/// exceeds high if the lines contradict each other.
struct AllowedCounts {
  double low = 1;
  double high = 0;
  std::optional<double> only() const;  ///< the number if only one is allowed
};
/// Range of accelerators, and of the batch, that the lines allow; absent if the lines do not
/// determine it.
std::optional<AllowedCounts> allowed_accelerators(const LoggedSteps&);
std::optional<AllowedCounts> allowed_batch(const LoggedSteps&);

/// Derives sizes from other sizes and from the rates of lines, with remarks on what was derived.
void derive_sizes(const LogText&, LoggedSteps&, std::vector<std::string>& remarks);

/// Sets step times of lines that print only rates, or only iteration and time stamp, and drops
/// lines without either. Sets `unknown` if no line has a time.
void settle_times(LoggedSteps&);

/// Seconds per step by the samples/s or tokens/s of a line; absent if the sizes do not determine
/// them.
std::optional<double> seconds_by_samples(const LoggedSizes&, const StepLine&);
std::optional<double> seconds_by_tokens(const LoggedSizes&, const StepLine&);

/// InputError if the steady step contradicts other figures of its lines: time stamps, samples/s,
/// tokens/s, utilisation.
void check_steps(const LogText&, const LoggedSteps&, const SteadySteps&);

/// InputError if the stated batch is not among those that the lines allow within their digits.
void check_printed_batch(const LogText&, const LoggedSteps&);

/// Returns the sizes of a measured step. Options of sizes that are unknown, so that 1 is taken, are
/// added to `unstated`. InputError if a required size is unknown, or if sizes contradict each
/// other.
MeasuredStep sized_step(const LogText&, const LoggedSteps&, std::vector<std::string>& unstated);

/// Sizes, iterations and step times of a run for those who watch it: times are those of the job
/// that printed the last step, and time stamps tell how much of its time passed between steps.
StepSurvey survey_of(const LoggedSteps&);

/// Takes runs that a format read through the stages of step_log.cpp after it.
StepReading completed_steps(LoggedRuns, const LogText&, const StepHints&);

}  // namespace formats
}  // namespace tofn
