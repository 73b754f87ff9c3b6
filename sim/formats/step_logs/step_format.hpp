#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/step_logs/steady_steps.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// Sizes of a run as its log prints them; absent if it does not.
struct LoggedSizes {
  std::optional<int> accelerators{};
  std::optional<int> nodes{};               ///< NeMo's `num_nodes`
  std::optional<int> per_node{};            ///< NeMo's `devices`
  std::optional<double> global_batch{};     ///< samples per step
  std::optional<double> local_batch{};      ///< of one data-parallel rank
  std::optional<double> micro_batch{};      ///< samples per replica and pass
  std::optional<double> sequence_length{};  ///< tokens per sample
  std::optional<double> tokens{};           ///< tokens per step
  std::optional<int> tensor_parallel_size{};
  std::optional<int> pipeline_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> gradient_accumulation{};
  std::optional<double> iterations{};  ///< of the whole run
  std::string iterations_key{};        ///< name that a dump gives it
  std::string platform{};              ///< MLPerf's words for the machine: `1xMI300X`
  LoggedModel model{};
};

/// Steps of one configuration, as a format's reader finds them.
struct LoggedSteps {
  std::string source{};  ///< empty: the file
  LoggedSizes sizes{};
  std::vector<LoggedStep> steps{};    ///< in the order of execution
  std::optional<double> spread{};     ///< stated, for a figure that is already a median
  bool is_one_figure = false;         ///< a row of a table, from which nothing is left out
  std::optional<double> iteration{};  ///< the last one, if step lines state none
  std::string ended{};                ///< the log's words for the run's end
  LogLine line{};
};

struct LoggedRuns {
  std::string format{};
  std::vector<LoggedSteps> runs{};
  std::vector<std::string> remarks{};
};

/// A format of training logs: how to detect it, and how to read it. A new one is a file of its own
/// and a row in step_format.cpp; a program that prints a line per step is a row in
/// step_dialects.cpp.
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

/// Reads a line of a dump of arguments (`tensor_model_parallel_size ..... 8`, `devices: 8`); the
/// first line that states a size counts.
void take_sizes(const LogLine&, LoggedSizes&);

/// Sets how the last run ended, if a line after its steps says so (rows in run_end.cpp).
void take_end(const LogText&, LoggedRuns&);

/// Returns warnings that explain slow or lost steps, the most important first (rows in
/// slow_warnings.cpp).
std::vector<LogWarning> slow_warnings(const LogText&);

/// Returns a time in seconds. InputError unless it is above 0 and at most a million.
double step_seconds_at(const LogText&, const LogLine&, const LogWord&, std::string_view key,
                       double unit);

/// Fills sizes that the log does not state with hints. InputError if both state a size and differ.
void apply_hints(const LogText&, const LogLine&, const StepHints&, LoggedSizes&);

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
/// lines without either. Returns why no line has a time, otherwise an empty text.
std::string settle_times(LoggedSteps&);

/// InputError if the steady step contradicts other figures of its lines: time stamps, samples/s,
/// tokens/s, utilisation.
void check_steps(const LogText&, const LoggedSteps&, const SteadySteps&);

/// InputError if the stated batch is not among those that the lines allow within their digits.
void check_printed_batch(const LogText&, const LoggedSteps&);

/// Returns the median of each configuration's steady steps, with remarks on what was left out.
/// Hints give sizes that the log does not state. InputError if neither states a required size, or
/// if both do and differ.
StepReading completed_steps(LoggedRuns, const LogText&, const StepHints&);
StepLogSurvey surveyed_steps(LoggedRuns, const LogText&, const StepHints&);

}  // namespace formats
}  // namespace tofn
