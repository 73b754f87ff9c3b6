#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/formats/step_logs/step_log.hpp"

namespace tofn {
inline namespace formats {

using MllogFigures = std::vector<std::pair<std::string, double>>;

/// One line of MLPerf's log: `:::MLLOG {"time_ms": ..., "event_type": ..., "key": ..., "value":
/// ..., "metadata": {...}}`, after any prefix of a launcher.
struct MllogEvent {
  std::string key{};
  std::optional<double> milliseconds{};
  std::string text{};              ///< the value if it is text, otherwise empty
  std::optional<double> number{};  ///< the value if it is a number, or a number as text
  MllogFigures figures{};          ///< of a value that is an object
  MllogFigures metadata{};         ///< numbers only
  std::string status{};            ///< of the metadata
};

/// Returns the figure of that name; absent if there is none.
std::optional<double> figure_named(const MllogFigures&, std::string_view name);

bool has_mllog_mark(std::string_view line);

/// Returns the event of a line with the mark; absent if no JSON with a key follows the mark.
std::optional<MllogEvent> parse_mllog(std::string_view line);

/// A sequence of values thinned evenly to `most` of them, because logs have gigabytes.
template <class T>
class Thinned {
 public:
  void push(const T& value) {
    if (seen_++ % stride_ != 0) return;
    values_.push_back(value);
    if (values_.size() < most) return;
    for (std::size_t i = 0; 2 * i < values_.size(); ++i) values_[i] = values_[2 * i];
    values_.resize((values_.size() + 1) / 2);
    stride_ *= 2;
  }
  const std::vector<T>& values() const { return values_; }
  bool empty() const { return values_.empty(); }

 private:
  static constexpr std::size_t most = 1 << 14;
  std::vector<T> values_;
  std::size_t seen_ = 0;
  std::size_t stride_ = 1;
};

/// Steps between two moments of a run, with their number and time.
struct MllogInterval {
  double seconds = 0;
  double steps = 0;
  int line = 0;
  double steps_since = 0;  ///< steps since the previous end, if counts are totals of the run
};

/// A moment of a run, with what was trained until then.
struct MllogMoment {
  double milliseconds = 0;
  std::optional<double> samples{};
  std::optional<double> epoch{};
};

/// Intervals of one kind, and their sample counts so far.
struct MllogIntervals {
  Thinned<MllogInterval> intervals{};
  std::optional<MllogMoment> begun{};  ///< begin of the one that has not ended
  std::optional<double> furthest{};    ///< samples
  bool overlap = false;                ///< an interval begins before the end of the previous one
  bool fall_back = false;              ///< an interval also ends there, so each counts on its own
};

/// One evaluation, in ms. Training waits until `resumed`, which may be before its end.
struct MllogEvaluation {
  double started = 0;
  double resumed = 0;
  double stopped = 0;
};

/// Log of one run of an MLPerf benchmark, gathered line by line so that only little of it is kept.
struct MllogRun {
  std::string benchmark{}, organisation{}, platform{}, division{}, submission_status{};
  std::optional<double> global_batch{}, local_batch{}, gradient_accumulation{};
  std::optional<double> train_samples{};                        ///< per epoch; in some logs per run
  std::optional<double> epochs_requested{}, steps_requested{};  ///< maximum of the run
  std::optional<double> init_start{}, run_start{}, run_stop{};  ///< ms
  std::optional<double> latest{};                               ///< of any event, ms
  std::string status{};                                         ///< of run_stop, such as `success`
  Thinned<MllogInterval> printed{};                             ///< printed step times
  MllogIntervals blocks{}, epochs{}, losses{}, between_evaluations{};
  Thinned<double> throughputs{};  ///< samples/s of the job or of one accelerator
  int throughput_line = 0;
  Thinned<MllogEvaluation> evaluations{};
  std::optional<MllogEvaluation> evaluation{};  ///< the one that has not ended
  std::optional<double> samples{};              ///< at the end of the run
  bool samples_are_of_epochs = false;           ///< computed as epochs x train_samples
  std::optional<double> stop_step{};            ///< stated by run_stop
  std::optional<double> sequence_length{};
  int begun = 0;              ///< number of run_start lines; more than one: several jobs
  bool begins_again = false;  ///< true if another run follows run_stop
  int damaged = 0;            ///< lines with the mark but no key

  bool is_complete() const { return run_start && run_stop; }
  /// Minutes from run_start to run_stop. Requires both.
  double minutes() const { return (*run_stop - *run_start) / 60e3; }
  /// Seconds of each evaluation that began before run_stop.
  std::vector<double> evaluation_seconds() const;
  /// Total seconds that training waited for evaluations until run_stop.
  double evaluating() const;
};

/// Kinds of intervals by the events that begin and end them, in the order in which they give steps.
/// Epochs come last because they include their evaluations.
struct MllogKind {
  std::string_view begins, ends;
  const char* events;
  MllogIntervals MllogRun::*intervals;
};
inline constexpr std::array mllog_kinds{
    MllogKind{"block_start", "block_stop", "block_start, block_stop", &MllogRun::blocks},
    MllogKind{"train_loss", "train_loss", "train_loss", &MllogRun::losses},
    MllogKind{"eval_stop", "eval_start", "eval_stop, eval_start", &MllogRun::between_evaluations},
    MllogKind{"epoch_start", "epoch_stop", "epoch_start, epoch_stop", &MllogRun::epochs}};

/// Adds an event of that line to its run.
void take_event(const MllogEvent&, int line, MllogRun&);

/// Steps of a run, from the first source that it logged: printed times, `mllog_kinds`, or
/// throughputs. The clock decides whether a throughput is the job's or one accelerator's.
struct MllogSteps {
  std::vector<MllogInterval> steps{};  ///< with the seconds of one step
  std::string remark{};                ///< how the steps were found, if that is not obvious
  std::string contradiction{};         ///< between steps and clock; empty if there is none
  std::string source{};                ///< `block_start, block_stop`
  bool epochs_are_of_batches = false;  ///< train_samples counts batches
};
MllogSteps steps_of(const MllogRun&, std::optional<int> accelerators);

/// Progress of the run, in steps.
struct MllogProgress {
  std::optional<double> done{};  ///< absent if samples and clock disagree
  std::optional<double> most{};  ///< maximum; the run ends earlier if it reaches its target
  const char* most_from = "";    ///< event that states the maximum
};
MllogProgress progress_of(const MllogRun&, const MllogSteps&);

/// A result file of MLPerf, read in one pass.
struct MlperfLog {
  MllogRun run{};
  LoggedSizes sizes{};      ///< dumped before the run started
  std::string precision{};  ///< `fp8`, `bf16`; empty if not dumped
  long long bytes = 0;
};

/// Reads the file as a stream. A line longer than a million characters, or one that is not text,
/// counts as damaged. InputError if the file cannot be opened.
MlperfLog scan_mlperf_log(const std::filesystem::path&);

}  // namespace formats
}  // namespace tofn
