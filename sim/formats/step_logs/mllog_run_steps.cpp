#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/mllog_run.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr double clock_share = 0.05;  // tolerance of a throughput's step against the clock's

double median_of(const std::vector<MllogInterval>& intervals) {
  std::vector<double> seconds;
  for (const MllogInterval& each : intervals) seconds.push_back(each.seconds);
  return median(seconds);
}

/// Steps from epochs; `train_samples` may count batches, and the throughput may be of one
/// accelerator.
MllogSteps epoch_steps(const MllogRun& run, std::optional<int> accelerators) {
  MllogSteps found{.source = "epoch_start, epoch_stop"};
  const double epoch = median_of(run.epochs.intervals.values());
  const double batch = *run.global_batch;
  std::optional<double> steps;
  for (const double each : {*run.train_samples / batch, *run.train_samples}) {
    if (each < 1 || run.throughputs.empty()) continue;
    const double ratio = batch / median(run.throughputs.values()) / (epoch / each);
    const double whole = std::round(ratio);
    const bool is_known = whole == 1 || (accelerators ? whole == *accelerators : whole >= 2);
    if (!is_known || std::abs(ratio / whole - 1) > clock_share) continue;
    steps = each;
    found.epochs_are_of_batches = each == *run.train_samples;
    found.remark = fmt::format(
        "train_samples counts {}, throughput is {}: so they agree with the clock of the epochs",
        each == *run.train_samples ? "batches" : "samples",
        whole == 1 ? "the job's" : fmt::format("of one of {:g} accelerators", whole));
    break;
  }
  if (!steps && run.throughputs.empty()) steps = *run.train_samples / batch;
  if (!steps || *steps < 1) {
    found.contradiction = fmt::format(
        "throughput, train_samples and the {:.4g} s that an epoch takes contradict each other",
        epoch);
    return found;
  }
  for (const MllogInterval& each : run.epochs.intervals.values())
    found.steps.push_back({.seconds = each.seconds / *steps, .steps = *steps, .line = each.line});
  return found;
}

/// True if the clock's samples/s is consistent with that throughput, as evaluations take some of
/// the time.
bool fits_clock(double by_clock, double throughput) {
  constexpr double least_training = 0.5;  // share of a run's time
  const double share = by_clock / throughput;
  return share <= 1 + clock_share && share >= least_training;
}

/// Samples/s of the whole run, evaluations included.
std::optional<double> rate_by_clock(const MllogRun& run) {
  const auto samples = run.samples ? run.samples : run.train_samples;
  if (!samples || !run.is_complete() || !(run.minutes() > 0)) return {};
  return *samples / (run.minutes() * 60);
}

MllogSteps throughput_steps(const MllogRun& run, std::optional<int> accelerators) {
  MllogSteps found{.source = "throughput"};
  double unit = 1;
  const double typical = median(run.throughputs.values());
  const auto clock = rate_by_clock(run);
  if (!clock) {
    found.remark = "throughput is taken as the job's: the log has no clock to hold it against";
  } else if (!fits_clock(*clock, typical)) {
    if (!accelerators || !fits_clock(*clock, typical * *accelerators)) {
      found.contradiction = fmt::format(
          "throughput says {:.4g} samples/s, run_start, run_stop and the samples make {:.4g}",
          typical, *clock);
      return found;
    }
    unit = *accelerators;
    found.remark = fmt::format("throughput is of one of {} accelerators, by the clock of the run",
                               *accelerators);
  }
  double training = 1;  // share of the time that the throughput covers
  const double mean_share = clock ? *clock / (typical * unit) : 0;
  if (std::abs(mean_share - 1) < clock_share / 2 && run.evaluating() > 0) {
    training = 1 - run.evaluating() / (run.minutes() * 60);
    found.remark +=
        fmt::format("{}throughput is of the whole run: its evaluations, {:.3g} s, left out",
                    found.remark.empty() ? "" : "; ", run.evaluating());
  }
  for (const double each : run.throughputs.values())
    found.steps.push_back({.seconds = *run.global_batch / (each * unit) * training,
                           .steps = 1,
                           .line = run.throughput_line});
  return found;
}

/// Ratio of the longest to the shortest step of the intervals.
double unevenness(const std::vector<MllogInterval>& intervals) {
  const auto [least, most] = std::ranges::minmax_element(
      intervals, [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  return most->seconds / least->seconds;
}

/// Returns the intervals with their own counts. If counts are totals of the run (each begins at the
/// same count and ends further on), it takes the increments since the previous interval if these
/// make the steps more even.
MllogSteps interval_steps(const MllogIntervals& kind, const char* source) {
  MllogSteps found{.steps = kind.intervals.values(), .source = source};
  if (!kind.overlap || kind.fall_back) return found;
  std::vector<MllogInterval> since;
  for (MllogInterval each : kind.intervals.values()) {
    if (each.steps_since < 1) continue;
    each.seconds *= each.steps / each.steps_since;
    each.steps = each.steps_since;
    since.push_back(each);
  }
  if (since.empty() || unevenness(since) > unevenness(found.steps)) return found;
  found.steps = std::move(since);
  found.remark = fmt::format(
      "samples of {} are counted from the start of the run: an interval has those since the one "
      "before",
      source);
  return found;
}

}  // namespace

MllogSteps steps_of(const MllogRun& run, std::optional<int> accelerators) {
  if (!run.printed.empty()) return {.steps = run.printed.values(), .source = "tracked_stats"};
  if (!run.global_batch) return {};
  const bool are_whole =
      !run.epochs.intervals.empty() && run.epochs.intervals.values().front().steps == 0;
  if (run.blocks.intervals.empty() && are_whole) return epoch_steps(run, accelerators);
  for (const MllogKind& kind : mllog_kinds)
    if (const MllogIntervals& of = run.*kind.intervals;
        !of.intervals.empty() && !(are_whole && &of == &run.epochs))
      return interval_steps(of, kind.events);
  return run.throughputs.empty() ? MllogSteps{} : throughput_steps(run, accelerators);
}

MllogProgress progress_of(const MllogRun& run, const MllogSteps& found) {
  MllogProgress progress;
  if (!run.global_batch || found.steps.empty()) return progress;
  const double most_by_clock = run.run_start && run.latest
                                   ? (*run.latest - *run.run_start) * 1e-3 / median_of(found.steps)
                                   : 0;
  // Some logs count tokens or batches as samples; the clock decides.
  const double unit = found.epochs_are_of_batches ? 1 : *run.global_batch;
  for (const double each : {unit, unit * run.sequence_length.value_or(1)}) {
    const double steps = run.samples.value_or(0) / each;
    if (steps >= 1 && !progress.done && steps <= most_by_clock * (1 + clock_share))
      progress.done = std::floor(steps);
  }
  if (run.steps_requested) {
    progress.most = run.steps_requested;
    progress.most_from = "opt_learning_rate_training_steps";
  } else if (run.epochs_requested && run.train_samples) {
    progress.most = std::ceil(*run.epochs_requested * *run.train_samples / unit);
    progress.most_from = "epoch_count";
  }
  if (progress.most && progress.done && *progress.most < *progress.done) progress.most.reset();
  return progress;
}

}  // namespace formats
}  // namespace tofn
