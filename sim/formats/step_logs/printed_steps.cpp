// Programs that print a line per step, or per several steps (step_dialects.cpp has a row of each).
// Several ranks may print the same step; a job may be killed and resume from an earlier step.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/core/words.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_line.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// True if both times are alike or one is unknown: ranks wait for each other.
bool is_as_long(std::optional<double> a, std::optional<double> b) {
  return !a || !b || std::abs(*a / *b - 1) <= warm_band;
}

/// Relative difference of the times of a step above which one job did not print both (assumed).
constexpr double far_apart = 0.2;

/// Text such as `2 lines repeat a step`.
std::string repeated_text(int lines) {
  return counted(lines, "line") + (lines == 1 ? " repeats a step" : " repeat a step");
}

/// Printed steps -> runs: each step once, a run for each job and batch.
class PrintedRuns {
 public:
  PrintedRuns(const LogText& log, LoggedRuns& read) : log_(log), read_(read) {}

  /// Takes a step with the line and the figures that were printed, and the arguments dumped since
  /// the one before.
  void take(LoggedStep step, const LoggedSizes& dumped) {
    fill_sizes(fresh_, dumped);
    gather_passes(step);
    step.clock = time_stamp_of(step.line.text);
    if (!step.clock) step.clock = time_stamp_of(step.line.prefix);
    const auto iteration = step.figures.iteration;
    if (is_repeated(step) || is_of_another_rank(step)) return;
    const bool is_restart =
        last_ && ((iteration && *iteration < *last_) || has_other_sizes(step.figures));
    if (is_restart) restart(step.line);
    fill_sizes(sizes_, std::exchange(fresh_, {}));
    step.seconds = step.figures.seconds.value_or(0);
    step.steps = last_ && iteration && !is_restart ? *iteration - *last_ : 1;
    step.is_cold = is_restart || (iteration && *iteration <= 1);
    last_ = iteration ? iteration : last_.value_or(0) + 1;
    counted_.insert_or_assign(*last_, Counted{step.clock, step.line.prefix, step.figures.seconds});
    run_of(step).steps.push_back(step);
  }

  void finish() {
    if (read_.runs.empty()) return;
    for (LoggedSteps& run : read_.runs) count_first(run);
    const LogLine& line = read_.runs.front().line;
    if (repeated_ > 0)
      read_.remarks.push_back(log_.remark(
          line,
          repeated_text(repeated_) + ", of other ranks or of a bar: the first of each counts"));
    if (foreign_ > 0)
      read_.remarks.push_back(log_.remark(
          line,
          fmt::format("WARNING: {} with a time that differs by more than {:g} %: {} to another "
                      "job or to a restart, and the first of each counts",
                      repeated_text(foreign_), 100 * far_apart,
                      foreign_ == 1 ? "it belongs" : "they belong")));
    if (passes_ <= 1) return;
    read_.remarks.push_back(log_.remark(
        line, fmt::format("a time is of one of {:g} micro-batches a step, and counts as often",
                          passes_)));
    for (LoggedSteps& run : read_.runs)
      if (!run.sizes.gradient_accumulation)
        run.sizes.gradient_accumulation = static_cast<int>(std::min(passes_, 1e7));
  }

 private:
  /// Clock, prefix and seconds of a printed step.
  struct Counted {
    std::optional<TimeStamp> clock{};
    std::string_view prefix{};
    std::optional<double> seconds{};
  };

  /// Scales the time of one pass to a step, by the mean number of passes per step so far.
  void gather_passes(LoggedStep& step) {
    const StepLine& figures = step.figures;
    if (!figures.passes || !figures.seconds || !(figures.iteration.value_or(0) > 0)) return;
    const double passes = std::max(1.0, std::round(*figures.passes / *figures.iteration));
    *step.figures.seconds *= passes;
    *step.rounding.seconds *= passes;
    passes_ = std::max(passes_, passes);
  }

  /// Counts a line of a step that was printed before. Ranks of one job wait for each other, except
  /// in its first step, so another time is that of another job.
  void count_repeated(const LoggedStep& step) {
    const double iteration = *step.figures.iteration;
    const auto first = counted_.find(iteration);
    const auto seconds = step.figures.seconds;
    const bool is_foreign = iteration > 1 && first != counted_.end() && seconds &&
                            first->second.seconds &&
                            std::abs(*seconds / *first->second.seconds - 1) > far_apart;
    ++(is_foreign ? foreign_ : repeated_);
  }

  /// True for another rank's line of the previous step, or one that a progress bar drew again.
  bool is_repeated(const LoggedStep& step) {
    const auto iteration = step.figures.iteration;
    if (!last_ || !iteration) return false;
    if (iteration == last_ || iteration == before_) {
      count_repeated(step);
      return true;
    }
    before_ = last_;
    return false;
  }

  /// True for a step that another rank already printed, if ranks print in separate blocks: at the
  /// same time, or without time stamps with another prefix and the same length. A restarted job
  /// repeats steps later.
  bool is_of_another_rank(const LoggedStep& step) {
    const auto iteration = step.figures.iteration;
    const auto found = iteration ? counted_.find(*iteration) : counted_.end();
    if (found == counted_.end()) return false;
    const auto& [clock, prefix, seconds] = found->second;
    constexpr double skew = 1;  // seconds between clocks of nodes; a restart takes longer
    const bool is_same =
        step.clock && clock
            ? std::abs(step.clock->seconds - clock->seconds) <= skew + step.clock->resolution
            : step.line.prefix != prefix && !has_other_sizes(step.figures) &&
                  is_as_long(step.figures.seconds, seconds);
    if (is_same) count_repeated(step);
    return is_same;
  }

  /// True if another dump was printed since the last step, so that the job restarted even if the
  /// step numbers continue. A batch printed in the line itself may have grown.
  bool has_other_sizes(const StepLine& figures) const {
    LoggedSizes dumped = fresh_;
    if (figures.global_batch) dumped.global_batch.reset();
    return differ(sizes_, dumped);
  }

  /// Notes that the job restarted; with other arguments it is another run.
  void restart(const LogLine& line) {
    const bool is_other = differ(sizes_, fresh_);
    read_.remarks.push_back(log_.remark(
        line, fmt::format("the job began anew{}", is_other ? " with other arguments" : "")));
    counted_.clear();
    before_.reset();
    if (!is_other) return;
    sizes_ = {};
    first_of_job_ = read_.runs.size();
  }

  /// Returns the run of this job with the batch of that step, because a job may raise its batch.
  LoggedSteps& run_of(const LoggedStep& step) {
    const auto printed = step.figures.global_batch;
    const bool is_whole = printed && step.rounding.global_batch.value_or(0) < 1;
    const auto batch = is_whole ? printed : sizes_.global_batch;
    for (std::size_t i = first_of_job_; i < read_.runs.size(); ++i) {
      const LoggedSteps& run = read_.runs[i];
      if (run.sizes.global_batch == batch &&
          (batch || run.steps.front().figures.global_batch == printed))
        return read_.runs[i];
    }
    read_.runs.push_back({.sizes = sizes_, .line = step.line});
    read_.runs.back().sizes.global_batch = batch;
    return read_.runs.back();
  }

  /// Assumes that the first line stands for as many steps as the next one, which may include the
  /// job's first step.
  static void count_first(LoggedSteps& run) {
    LoggedStep& first = run.steps.front();
    first.steps = run.steps.size() < 2 ? 1.0 : run.steps[1].steps;
    if (first.figures.iteration)
      first.steps = std::min(first.steps, std::max(1.0, *first.figures.iteration));
    first.is_cold |= first.figures.iteration && *first.figures.iteration <= first.steps;
  }

  const LogText& log_;
  LoggedRuns& read_;
  LoggedSizes sizes_, fresh_;  ///< of this job; printed since its last step
  std::optional<double> last_, before_;
  std::map<double, Counted> counted_;  ///< of this job, by iteration
  std::size_t first_of_job_ = 0;
  int repeated_ = 0;
  int foreign_ = 0;    ///< repeated with another time
  double passes_ = 1;  ///< micro-batches per step, if times are per micro-batch
};

/// Lines -> printed steps -> runs. A step is handed on at once, because logs have many.
class StepLineReader {
 public:
  StepLineReader(const LogText& log, const StepDialect& dialect, LoggedRuns& read)
      : log_(log), dialect_(dialect), read_(read), runs_(log, read) {}

  void read() {
    for (const LogLine& line : log_.lines)
      dialect_.begins.empty() ? take_line(line) : take_line_of_step(line);
    end_step();
    runs_.finish();
  }

 private:
  /// Reads a line of a program whose steps are one line each.
  void take_line(const LogLine& line) {
    const bool is_of_json = trimmed(line.text).starts_with('"');  // that has several lines
    const bool is_step = is_step_line(line, dialect_);
    next_.follows_evaluation |= is_evaluation_line(line, dialect_);
    if (is_step) open_ = &line;
    if (is_step || is_of_json) take_figures_of(line);
    if (is_step) end_step();
    if (!is_step || is_of_json) take_sizes(line, dumped_);
  }

  /// Reads a line of a program whose steps are several lines each; arguments of the next job also
  /// end a step.
  void take_line_of_step(const LogLine& line) {
    LoggedSizes stated;
    take_sizes(line, stated);
    const bool is_first = is_step_line(line, dialect_);
    if (is_first || differ(stated, sizes_)) end_step();
    if (is_first) open_ = &line;
    if (open_ == nullptr)
      take_sizes(line, dumped_);
    else
      take_figures_of(line);
  }

  /// Takes the figures of a line, unless a job is still printing it and a figure may be cut.
  void take_figures_of(const LogLine& line) {
    if (open_ == nullptr || !has_step_ || !log_.lacks_end(line))
      return take_figures(log_, line, dialect_, next_.figures, next_.rounding);
    read_.remarks.push_back(log_.remark(line, half_written_text));
    if (open_ == &line) open_ = nullptr;
  }

  void end_step() {
    const LogLine* const first = std::exchange(open_, nullptr);
    if (first == nullptr) return;
    next_.line = *first;
    if (differ(sizes_, dumped_)) sizes_ = {};
    fill_sizes(sizes_, dumped_);
    runs_.take(std::exchange(next_, {}), std::exchange(dumped_, {}));
    has_step_ = true;
  }

  const LogText& log_;
  const StepDialect& dialect_;
  LoggedRuns& read_;
  PrintedRuns runs_;
  bool has_step_ = false;
  LoggedStep next_;                ///< line and figures that were read of it
  const LogLine* open_ = nullptr;  ///< its first line, while its others may follow
  LoggedSizes dumped_, sizes_;     ///< since the last step; of the job that prints
};

}  // namespace

LoggedRuns printed_runs(const LogText& log, const StepDialect& dialect) {
  LoggedRuns read;
  StepLineReader(log, dialect, read).read();
  read.format = dialect.name;
  return read;
}

bool is_printed_steps(const LogText& log) { return step_dialect_of(log) != nullptr; }

LoggedRuns read_printed_steps(const LogText& log, const StepHints&) {
  return printed_runs(log, *step_dialect_of(log));
}

}  // namespace formats
}  // namespace tofn
