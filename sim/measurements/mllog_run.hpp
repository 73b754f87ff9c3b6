#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/mllog_event.hpp"

namespace tofn {
inline namespace measurements {

/// Steps between two moments of a run: `seconds` over `steps` of them.
struct MllogInterval {
  double seconds = 0;
  double steps = 0;
  int line = 0;
};

/// What one run of an MLPerf benchmark logged, gathered line by line: little of a log is kept.
struct MllogRun {
  std::string benchmark{}, organisation{}, platform{}, division{}, submission_status{};
  std::optional<double> global_batch{}, local_batch{}, gradient_accumulation{};
  std::optional<double> train_samples{};  ///< of an epoch; where so printed, of the run
  std::optional<double> init_start{}, run_start{}, run_stop{};  ///< ms
  std::string status{};                                         ///< of run_stop: `success`
  std::vector<double> step_times{};                             ///< s, printed
  std::vector<int> step_lines{};
  std::vector<MllogInterval> blocks{}, epochs{}, losses{}, between_evaluations{};
  std::vector<double> throughputs{};  ///< samples/s, of the job or of an accelerator
  int throughput_line = 0;
  std::vector<double> evaluations{};  ///< s each
  std::optional<double> samples{};    ///< at the end
  int begun = 0;                      ///< run_start lines: more than one of several jobs
  int damaged = 0;                    ///< lines with the mark and without a key

  bool is_complete() const { return run_start && run_stop; }
  /// run_start to run_stop. Asks for both.
  double minutes() const { return (*run_stop - *run_start) / 60e3; }
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
  std::optional<Moment> moment_of(const MllogEvent&) const;
  std::optional<double> samples_of(const Moment&) const;
  void take_fact(const MllogEvent&);
  void take_interval(const Moment& from, const Moment& to, int line,
                     std::vector<MllogInterval>& intervals);
  void take_moment(const MllogEvent&, int line);

  MllogRun run_;
  std::optional<Moment> block_, epoch_, loss_, training_, evaluation_;
};

/// Steps of a run: of these the first that it logged: printed times, blocks, epochs, losses and
/// what lies between evaluations, else throughputs. Whether a throughput is the job's or one
/// accelerator's the clock decides.
struct MllogSteps {
  std::vector<MllogInterval> steps{};  ///< seconds are of one step
  std::string remark{};                ///< how they were found, where that is no matter of course
  std::string contradiction{};         ///< between them and the clock; empty: none
};
MllogSteps steps_of(const MllogRun&, std::optional<int> accelerators);

}  // namespace measurements
}  // namespace tofn
