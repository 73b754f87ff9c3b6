#include "sim/measurements/mllog_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace measurements {
namespace {

void first(std::optional<double>& known, const std::optional<double>& value) {
  if (!known) known = value;
}

/// `epoch_num` counts epochs, parts of one, or (BERT) samples.
bool counts_epochs(double epoch) {
  constexpr double most_epochs = 10'000;
  return epoch < most_epochs;
}

}  // namespace

std::vector<double> MllogRun::evaluation_seconds() const {
  std::vector<double> seconds;
  for (const MllogEvaluation& each : evaluations.values())
    if (!run_stop || each.started < *run_stop)
      seconds.push_back((each.stopped - each.started) * 1e-3);
  return seconds;
}

double MllogRun::evaluating() const {
  double milliseconds = 0;
  for (const MllogEvaluation& each : evaluations.values())
    if (!run_stop || each.started < *run_stop)
      milliseconds += std::min(each.resumed, run_stop.value_or(each.resumed)) - each.started;
  return milliseconds * 1e-3;
}

void MllogReader::take_fact(const MllogEvent& event) {
  const auto positive = event.number && *event.number > 0 ? event.number : std::nullopt;
  if (event.key == "submission_benchmark") run_.benchmark = event.text;
  if (event.key == "submission_org") run_.organisation = event.text;
  if (event.key == "submission_platform") run_.platform = event.text;
  if (event.key == "submission_division") run_.division = event.text;
  if (event.key == "submission_status") run_.submission_status = event.text;
  if (event.key == "global_batch_size") first(run_.global_batch, positive);
  if (event.key == "local_batch_size") first(run_.local_batch, positive);
  if (event.key == "gradient_accumulation_steps") first(run_.gradient_accumulation, positive);
  if (event.key == "train_samples") run_.train_samples = positive;
  if (event.key == "max_sequence_length") first(run_.sequence_length, positive);
  if (event.key == "trained_samples") run_.samples = positive;
}

std::optional<MllogReader::Moment> MllogReader::moment_of(const MllogEvent& event) const {
  if (!event.milliseconds) return {};
  Moment moment{.milliseconds = *event.milliseconds};
  moment.samples = event.of_metadata("samples_count");
  moment.epoch = event.of_metadata("epoch_num");
  if (!moment.epoch && event.key.starts_with("epoch_")) moment.epoch = event.number;
  return moment;
}

std::optional<double> MllogReader::samples_of(const Moment& moment) const {
  if (moment.samples) return moment.samples;
  if (!moment.epoch) return {};
  if (!counts_epochs(*moment.epoch)) return moment.epoch;
  if (!run_.train_samples) return {};
  return *moment.epoch * *run_.train_samples;
}

void MllogReader::take_interval(const Moment& from, const Moment& to, int line,
                                Thinned<MllogInterval>& intervals, MllogCounts& counts) const {
  const auto begin = samples_of(from);
  const auto end = samples_of(to);
  if (!begin || !end || !run_.global_batch) return;
  const double before = counts.furthest.value_or(*begin);
  if (*begin < before) (*end > before ? counts.overlap : counts.fall_back) = true;
  counts.furthest = std::max(before, *end);
  const double steps = (*end - *begin) / *run_.global_batch;
  const double since = (*end - std::max(*begin, before)) / *run_.global_batch;
  const double seconds = (to.milliseconds - from.milliseconds) * 1e-3;
  // Less than a step: an evaluation alone, or a counter that began anew.
  if (steps >= 1 && seconds > 0)
    intervals.push(
        {.seconds = seconds / steps, .steps = steps, .line = line, .steps_since = since});
}

void MllogReader::note_samples(const std::string& key, const Moment& now) {
  const auto samples = samples_of(now);
  if (!samples || *samples <= run_.samples.value_or(0)) return;
  if (key != "eval_accuracy" && key != "block_stop" && key != "eval_stop" && key != "run_stop")
    return;
  run_.samples = samples;
  run_.samples_are_of_epochs = !now.samples && counts_epochs(*now.epoch);
}

void MllogReader::stop_epoch(const Moment& now, int line) {
  if (!epoch_) return;
  // Both bear the number of the same epoch: it is a whole one.
  if (epoch_->epoch && now.epoch && *epoch_->epoch == *now.epoch && run_.train_samples)
    run_.epochs.push(
        {.seconds = (now.milliseconds - epoch_->milliseconds) * 1e-3, .steps = 0, .line = line});
  else
    take_interval(*epoch_, now, line, run_.epochs, run_.epoch_counts);
  epoch_.reset();
}

void MllogReader::stop_evaluation(const Moment& now) {
  if (evaluation_) {
    evaluation_->stopped = now.milliseconds;
    if (evaluation_->resumed == 0) evaluation_->resumed = now.milliseconds;
    run_.evaluations.push(*evaluation_);
  }
  evaluation_.reset();
  training_ = now;
}

void MllogReader::take_moment(const MllogEvent& event, int line) {
  const auto now = moment_of(event);
  if (!now) return;
  const std::string& key = event.key;
  note_samples(key, *now);
  const bool resumes = key == "block_start" || key == "epoch_start";
  if (resumes && evaluation_ && evaluation_->resumed == 0) evaluation_->resumed = now->milliseconds;
  if (key == "block_start") block_ = now;
  if (key == "block_stop" && block_) {
    take_interval(*block_, *now, line, run_.blocks, run_.block_counts);
    block_.reset();
  }
  if (key == "train_loss") {
    if (loss_) take_interval(*loss_, *now, line, run_.losses, run_.loss_counts);
    loss_ = now;
  }
  if (key == "epoch_start") epoch_ = now;
  if (key == "epoch_stop") stop_epoch(*now, line);
  if (key == "run_start") training_ = Moment{now->milliseconds, 0.0, 0.0};
  if (key == "eval_start") {
    if (training_)
      take_interval(*training_, *now, line, run_.between_evaluations, run_.evaluation_counts);
    training_.reset();
    evaluation_ = MllogEvaluation{.started = now->milliseconds};
    loss_.reset();
  }
  if (key == "eval_stop") stop_evaluation(*now);
}

void MllogReader::take(const MllogEvent& event, int line) {
  take_fact(event);
  if (event.key == "init_start") first(run_.init_start, event.milliseconds);
  if (event.key == "run_start") {
    ++run_.begun;
    if (run_.run_stop) run_.begins_again = true;
    for (MllogCounts* counts :
         {&run_.block_counts, &run_.epoch_counts, &run_.loss_counts, &run_.evaluation_counts})
      counts->furthest.reset();  // a job may go on from an earlier checkpoint
    first(run_.run_start, event.milliseconds);
  }
  if (event.key == "run_stop" && !run_.run_stop) {
    run_.run_stop = event.milliseconds;
    run_.status = event.status;
    run_.stop_step = event.of_metadata("step_num");
  }
  if (event.key == "tracked_stats") {
    for (const char* name : {"train_step_time", "train_step_timing in s"})
      if (const auto seconds = event.figure(name))
        run_.printed.push({.seconds = *seconds, .steps = 1, .line = line});
    if (const auto rate = event.figure("throughput"); rate && *rate > 0) {
      run_.throughputs.push(*rate);
      if (run_.throughput_line == 0) run_.throughput_line = line;
    }
  }
  take_moment(event, line);
}

namespace {

constexpr double clock_share = 0.05;  // how near a throughput's step must be to the clock's

/// Epochs as steps: `train_samples` may count batches, and the throughput be of one accelerator.
MllogSteps epoch_steps(const MllogRun& run, std::optional<int> accelerators) {
  MllogSteps found{.source = "epoch_start, epoch_stop"};
  std::vector<double> seconds;
  for (const MllogInterval& each : run.epochs.values()) seconds.push_back(each.seconds);
  const double epoch = median(seconds);
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
  for (const MllogInterval& each : run.epochs.values())
    found.steps.push_back({.seconds = each.seconds / *steps, .steps = *steps, .line = each.line});
  return found;
}

/// Whether samples/s by the clock leaves room for that throughput: evaluations take some of it.
bool fits_clock(double by_clock, double throughput) {
  constexpr double least_training = 0.5;  // of the time of a run
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
  double training = 1;  // share of the time that the throughput is of
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

/// The longest over the shortest of the intervals' steps.
double unevenness(const std::vector<MllogInterval>& intervals) {
  const auto [least, most] =
      std::minmax_element(intervals.begin(), intervals.end(),
                          [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  return most->seconds / least->seconds;
}

/// The intervals by their own counts or, where those are of the whole run (each begins at the same
/// count and ends further on), by what was added since the interval before: what makes their steps
/// more alike.
MllogSteps interval_steps(const Thinned<MllogInterval>& intervals, const MllogCounts& counts,
                          const char* source) {
  MllogSteps found{.steps = intervals.values(), .source = source};
  if (!counts.overlap || counts.fall_back) return found;
  std::vector<MllogInterval> since;
  for (MllogInterval each : intervals.values()) {
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
  struct Kind {
    const Thinned<MllogInterval>& intervals;
    const MllogCounts& counts;
    const char* source;
  };
  if (!run.printed.empty()) return {.steps = run.printed.values(), .source = "tracked_stats"};
  if (!run.global_batch) return {};
  const bool are_whole = !run.epochs.empty() && run.epochs.values().front().steps == 0;
  if (run.blocks.empty() && are_whole) return epoch_steps(run, accelerators);
  // Epochs last, as they hold their evaluations.
  for (const Kind& kind :
       {Kind{run.blocks, run.block_counts, "block_start, block_stop"},
        Kind{run.losses, run.loss_counts, "train_loss"},
        Kind{run.between_evaluations, run.evaluation_counts, "eval_stop, eval_start"},
        Kind{run.epochs, run.epoch_counts, "epoch_start, epoch_stop"}})
    if (!kind.intervals.empty() && !(are_whole && &kind.intervals == &run.epochs))
      return interval_steps(kind.intervals, kind.counts, kind.source);
  return run.throughputs.empty() ? MllogSteps{} : throughput_steps(run, accelerators);
}

}  // namespace measurements
}  // namespace tofn
