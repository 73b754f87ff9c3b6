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
  std::optional<int> nodes{};            ///< NeMo's `num_nodes`
  std::optional<int> per_node{};         ///< NeMo's `devices`
  std::optional<double> global_batch{};  ///< samples a step
  std::optional<double> micro_batch{};   ///< samples a replica and pass
  std::optional<int> tensor_parallel_size{};
  std::optional<int> pipeline_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> gradient_accumulation{};
};

/// Steps of one configuration as a format's reader finds them.
struct LoggedSteps {
  std::string source{};  ///< empty: the file
  LoggedSizes sizes{};
  std::vector<LoggedStep> steps{};  ///< in the order in which they ran
  std::optional<double> spread{};   ///< of a figure that is a median already
  bool is_one_figure = false;       ///< of a table's row: nothing is left out
  LogLine line{};
};

struct LoggedRuns {
  std::vector<LoggedSteps> runs{};
  std::vector<std::string> remarks{};
};

/// A format of training logs: how to know it, and how to read it. A new one is a file of its own
/// and a row in step_format.cpp.
struct StepFormat {
  std::string_view name;
  bool (*fits)(const LogText&);
  LoggedRuns (*read)(const LogText&);
};

/// In the order in which they are tried.
std::span<const StepFormat> step_formats();

bool is_megatron_steps(const LogText&);
LoggedRuns read_megatron_steps(const LogText&);
bool is_nemo_steps(const LogText&);
LoggedRuns read_nemo_steps(const LogText&);
bool is_mllog_steps(const LogText&);
LoggedRuns read_mllog_steps(const LogText&);
bool is_step_table(const LogText&);
LoggedRuns read_step_table(const LogText&);

/// Takes what a line of a dump of arguments says (`tensor_model_parallel_size ..... 8`,
/// `devices: 8`); the first line that says a size counts.
void take_sizes(const LogLine&, LoggedSizes&);

/// The steps at that batch, added where there are none yet: a run may raise its batch on the way.
LoggedSteps& steps_at_batch(LoggedRuns&, std::optional<double> global_batch, const LogLine&);

/// A time in seconds. InputError unless it is above 0 and at most a million.
double step_seconds_at(const LogText&, const LogLine&, const LogWord&, std::string_view key,
                       double unit);

/// The median of each configuration's steady steps, and what was left out. Sizes that the log does
/// not say come from the hints; InputError where neither says one, or both do and differ.
StepReading completed_steps(const LoggedRuns&, const LogText&, const StepHints&);

}  // namespace measurements
}  // namespace tofn
