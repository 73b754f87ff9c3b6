#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/formats/step_logs/mllog_event.hpp"

namespace tofn {
inline namespace formats {

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

/// Sample counts of one kind of interval, over the intervals so far.
struct MllogCounts {
  std::optional<double> furthest{};
  bool overlap = false;    ///< an interval begins before the end of the previous one
  bool fall_back = false;  ///< an interval also ends there, so each counts on its own
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
  Thinned<MllogInterval> blocks{}, epochs{}, losses{}, between_evaluations{};
  MllogCounts block_counts{}, epoch_counts{}, loss_counts{}, evaluation_counts{};
  Thinned<double> throughputs{};  ///< samples/s of the job or of one accelerator
  int throughput_line = 0;
  Thinned<MllogEvaluation> evaluations{};
  std::optional<double> samples{};     ///< at the end of the run
  bool samples_are_of_epochs = false;  ///< computed as epochs x train_samples
  std::optional<double> stop_step{};   ///< stated by run_stop
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

/// Builds a run from its events, one at a time.
class MllogReader {
 public:
  void take(const MllogEvent&, int line);
  void take_damaged() { ++run_.damaged; }
  const MllogRun& run() const { return run_; }

 private:
  struct Moment {
    double milliseconds = 0;
    std::optional<double> samples{};
    std::optional<double> epoch{};
  };
  static std::optional<Moment> moment_of(const MllogEvent&);
  std::optional<double> samples_of(const Moment&) const;
  void take_fact(const MllogEvent&);
  void take_interval(const Moment& from, const Moment& to, int line,
                     Thinned<MllogInterval>& intervals, MllogCounts&) const;
  void take_moment(const MllogEvent&, int line);
  void note_samples(const std::string& key, const Moment& now);
  void stop_epoch(const Moment& now, int line);
  void stop_evaluation(const Moment& now);

  MllogRun run_;
  std::optional<Moment> block_, epoch_, loss_, training_;
  std::optional<MllogEvaluation> evaluation_;
};

/// Steps of a run, from the first source that it logged: printed times, blocks, epochs, losses,
/// intervals between evaluations, or throughputs. The clock decides whether a throughput is the
/// job's or one accelerator's.
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

}  // namespace formats
}  // namespace tofn
