#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/measurements/log_text.hpp"
#include "sim/measurements/steady_steps.hpp"
#include "sim/measurements/step_log.hpp"

namespace tofn {
inline namespace measurements {

/// Sizes of a run as its log prints them; absent: it does not.
struct LoggedSizes {
  std::optional<int> accelerators{};
  std::optional<int> nodes{};               ///< NeMo's `num_nodes`
  std::optional<int> per_node{};            ///< NeMo's `devices`
  std::optional<double> global_batch{};     ///< samples a step
  std::optional<double> local_batch{};      ///< of one data-parallel rank
  std::optional<double> micro_batch{};      ///< samples a replica and pass
  std::optional<double> sequence_length{};  ///< tokens a sample
  std::optional<double> tokens{};           ///< a step
  std::optional<int> tensor_parallel_size{};
  std::optional<int> pipeline_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> gradient_accumulation{};
  std::optional<double> iterations{};  ///< of the whole run
  std::string iterations_key{};        ///< that a dump gave it by
  std::string platform{};              ///< MLPerf's words for the machine: `1xMI300X`
  LoggedModel model{};
};

/// Steps of one configuration as a format's reader finds them.
struct LoggedSteps {
  std::string source{};  ///< empty: the file
  LoggedSizes sizes{};
  std::vector<LoggedStep> steps{};    ///< in the order in which they ran
  std::optional<double> spread{};     ///< of a figure that is a median already
  bool is_one_figure = false;         ///< of a table's row: nothing is left out
  std::optional<double> iteration{};  ///< the last one, where no line of a step says its own
  std::string ended{};                ///< how the log says that the run ended
  LogLine line{};
};

struct LoggedRuns {
  std::string format{};
  std::vector<LoggedSteps> runs{};
  std::vector<std::string> remarks{};
};

/// A format of training logs: how to know it, and how to read it. A new one is a file of its own
/// and a row in step_format.cpp; a program that prints a line a step is a row in step_line.cpp.
struct StepFormat {
  std::string_view name;
  bool (*fits)(const LogText&);
  LoggedRuns (*read)(const LogText&, const StepHints&);
};

bool is_mllog_steps(const LogText&);
LoggedRuns read_mllog_steps(const LogText&, const StepHints&);
bool is_printed_steps(const LogText&);
LoggedRuns read_printed_steps(const LogText&, const StepHints&);
bool is_trainer_summary(const LogText&);
LoggedRuns read_trainer_summary(const LogText&, const StepHints&);
bool is_progress_bar(const LogText&);
LoggedRuns read_progress_bar(const LogText&, const StepHints&);
bool is_step_table(const LogText&);
LoggedRuns read_step_table(const LogText&, const StepHints&);

/// Takes what a line of a dump of arguments says (`tensor_model_parallel_size ..... 8`,
/// `devices: 8`); the first line that says a size counts.
void take_sizes(const LogLine&, LoggedSizes&);

/// How the last run ended, where a line behind its steps says so (rows in run_end.cpp).
void take_end(const LogText&, LoggedRuns&);

/// Those that explain slow or lost steps, most telling first (rows in slow_warnings.cpp).
std::vector<LogWarning> slow_warnings(const LogText&);

/// A time in seconds. InputError unless it is above 0 and at most a million.
double step_seconds_at(const LogText&, const LogLine&, const LogWord&, std::string_view key,
                       double unit);

/// Hints where the log does not say; InputError where both say a size and differ.
void apply_hints(const LogText&, const LogLine&, const StepHints&, LoggedSizes&);

/// The whole numbers that all lines of a run allow by figures that they print beside, to their last
/// digits; low above high where the lines contradict each other.
struct AllowedCounts {
  double low = 1;
  double high = 0;
  std::optional<double> only() const;  ///< the one between both
};
/// Absent where the lines do not tell.
std::optional<AllowedCounts> allowed_accelerators(const LoggedSteps&);
std::optional<AllowedCounts> allowed_batch(const LoggedSteps&);

/// Sizes that follow from others and from the rates that lines print, and what was taken so.
void derive_sizes(const LogText&, LoggedSteps&, std::vector<std::string>& remarks);

/// Times of steps whose lines print rates only, or nothing but their iteration and time stamp.
/// Lines without either are dropped; empty, or why no line has a time.
std::string settle_times(LoggedSteps&);

/// InputError where the steady step contradicts what its lines say beside it: time stamps,
/// samples/s, tokens/s, utilisation.
void check_steps(const LogText&, const LoggedSteps&, const SteadySteps&);

/// InputError where a batch that is stated is not among those that the lines allow to their digits.
void check_printed_batch(const LogText&, const LoggedSteps&);

/// The median of each configuration's steady steps, and what was left out. Sizes that the log does
/// not say come from the hints; InputError where neither says one, or both do and differ.
StepReading completed_steps(LoggedRuns, const LogText&, const StepHints&);
StepLogSurvey surveyed_steps(LoggedRuns, const LogText&, const StepHints&);

}  // namespace measurements
}  // namespace tofn
