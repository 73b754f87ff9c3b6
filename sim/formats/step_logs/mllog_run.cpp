#include "sim/formats/step_logs/mllog_run.hpp"

#include <algorithm>

namespace tofn {
inline namespace formats {
namespace {

void first(std::optional<double>& known, const std::optional<double>& value) {
  if (!known) known = value;
}

/// True if `epoch_num` counts epochs or parts of one; BERT counts samples.
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
  if (event.key == "epoch_count") first(run_.epochs_requested, positive);
  if (event.key == "opt_learning_rate_training_steps") first(run_.steps_requested, positive);
}

std::optional<MllogReader::Moment> MllogReader::moment_of(const MllogEvent& event) {
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
  // Less than a step is an evaluation alone, or a counter that restarted.
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
  // Start and stop with the same epoch number mark a whole epoch.
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
  if (event.milliseconds) run_.latest = event.milliseconds;
  if (event.key == "init_start") first(run_.init_start, event.milliseconds);
  if (event.key == "run_start") {
    ++run_.begun;
    if (run_.run_stop) run_.begins_again = true;
    for (MllogCounts* counts :
         {&run_.block_counts, &run_.epoch_counts, &run_.loss_counts, &run_.evaluation_counts})
      counts->furthest.reset();  // a job may resume from an earlier checkpoint
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

}  // namespace formats
}  // namespace tofn
