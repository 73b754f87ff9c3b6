#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/mllog_event.hpp"

namespace tofn {
inline namespace measurements {

/// Values one after the other, of which no more than `most` are kept, evenly: logs are gigabytes.
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

/// Steps between two moments of a run: `seconds` over `steps` of them.
struct MllogInterval {
  double seconds = 0;
  double steps = 0;
  int line = 0;
  double steps_since = 0;  ///< the count before, where counts are of the whole run
};

/// How the counts of samples of one kind of interval go on.
struct MllogCounts {
  std::optional<double> furthest{};
  bool overlap = false;    ///< an interval begins before the one before ended
  bool fall_back = false;  ///< and one ends there: each counts for itself
};

/// One evaluation, in ms: training waits until `resumed`, which may be before its end.
struct MllogEvaluation {
  double started = 0;
  double resumed = 0;
  double stopped = 0;
};

/// What one run of an MLPerf benchmark logged, gathered line by line: little of a log is kept.
struct MllogRun {
  std::string benchmark{}, organisation{}, platform{}, division{}, submission_status{};
  std::optional<double> global_batch{}, local_batch{}, gradient_accumulation{};
  std::optional<double> train_samples{};  ///< of an epoch; where so printed, of the run
  std::optional<double> epochs_asked{}, steps_asked{};          ///< that the run may take at most
  std::optional<double> init_start{}, run_start{}, run_stop{};  ///< ms
  std::optional<double> latest{};                               ///< of any event, ms
  std::string status{};                                         ///< of run_stop: `success`
  Thinned<MllogInterval> printed{};                             ///< times of steps
  Thinned<MllogInterval> blocks{}, epochs{}, losses{}, between_evaluations{};
  MllogCounts block_counts{}, epoch_counts{}, loss_counts{}, evaluation_counts{};
  Thinned<double> throughputs{};  ///< samples/s, of the job or of an accelerator
  int throughput_line = 0;
  Thinned<MllogEvaluation> evaluations{};
  std::optional<double> samples{};     ///< at the end
  bool samples_are_of_epochs = false;  ///< epochs x train_samples
  std::optional<double> stop_step{};   ///< that run_stop names
  std::optional<double> sequence_length{};
  int begun = 0;              ///< run_start lines: more than one of several jobs
  bool begins_again = false;  ///< after its run_stop: another run follows
  int damaged = 0;            ///< lines with the mark and without a key

  bool is_complete() const { return run_start && run_stop; }
  /// run_start to run_stop. Asks for both.
  double minutes() const { return (*run_stop - *run_start) / 60e3; }
  /// Seconds each of those that began before run_stop.
  std::vector<double> evaluation_seconds() const;
  /// Seconds that training waited for them all until run_stop.
  double evaluating() const;
};

/// Takes one event after the other.
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

/// Steps of a run: of these the first that it logged: printed times, blocks, epochs, losses and
/// what lies between evaluations, else throughputs. Whether a throughput is the job's or one
/// accelerator's the clock decides.
struct MllogSteps {
  std::vector<MllogInterval> steps{};  ///< seconds are of one step
  std::string remark{};                ///< how they were found, where that is no matter of course
  std::string contradiction{};         ///< between them and the clock; empty: none
  std::string source{};                ///< `block_start, block_stop`
  bool epochs_are_of_batches = false;  ///< train_samples counts those
};
MllogSteps steps_of(const MllogRun&, std::optional<int> accelerators);

/// How far the run is, in steps.
struct MllogProgress {
  std::optional<double> done{};  ///< absent where samples and the clock say different things
  std::optional<double> most{};  ///< that it may take: it ends before where it reaches its target
  const char* most_from = "";    ///< the event that says so
};
MllogProgress progress_of(const MllogRun&, const MllogSteps&);

}  // namespace measurements
}  // namespace tofn
