#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/expense/expense.hpp"
#include "sim/simulation/step_uncertainty.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace training {
namespace {

/// Stands for an infinite time, of a run that fails more often than it advances.
constexpr double most_seconds = 1e30;
constexpr int most_runs = 64;

/// Olympic mean of the samples of `runs` runs. Runs behind a reference mean ended at an evaluation,
/// on average half an interval after they reached the target. That half is subtracted before each
/// run is sampled and rounded up, so that the mean does not change.
double drawn_samples(const Run& run, double expected, CommonDraws& draws) {
  const int runs = std::min(run.benchmark->description.runs, most_runs);
  const double interval = std::max(run.benchmark->evaluation_interval(), 1.0);
  const double deviation = run.benchmark->parameters.samples.run_deviation;
  std::array<double, most_runs> ended{};
  for (int each = 0; each < runs; ++each) {
    const double reached = expected - interval / 2 + deviation * draws.normal();
    ended[static_cast<std::size_t>(each)] = std::max(1.0, std::ceil(reached / interval)) * interval;
  }
  return olympic_mean(Values{ended.data(), static_cast<std::size_t>(runs)});
}

/// The luck of a benchmark's run: its evaluations, start-up and samples to the target.
RunDraw drawn_benchmark(const Run& run, CommonDraws& draws) {
  const RunParameters& p = run.benchmark->parameters;
  RunDraw draw;
  draw.evaluation = Distribution{p.evaluation_factor.spread}.draw(1, draws.normal());
  const double start_up = run.start_up.value + run.start_up.spread * draws.normal();
  // Waiting cannot be negative, but steps that the clock missed can.
  const bool is_waiting = !run.start_up_is_in_steps && run.start_up.value >= 0;
  draw.start_up = is_waiting ? std::max(0.0, start_up) : start_up;
  if (!run.has_target()) return draw;
  const double relative = p.samples.expected_deviation / p.samples.expected;
  const double reference = Distribution{relative}.draw(p.samples.expected, draws.normal());
  draw.samples = drawn_samples(run, reference, draws) / p.samples.expected;
  draw.score_factor = std::max(1.0, 1 / draw.samples);
  return draw;
}

/// Sums over the segments of a run.
struct Sums {
  double steps = 0, stepping = 0, training = 0, evaluations = 0, evaluation = 0, samples = 0;

  void add(const RunBreakdown& terms) {
    steps += terms.steps;
    stepping += terms.stepping().base();
    training += terms.training.time.base();
    evaluations += terms.evaluations;
    evaluation += terms.evaluation.time.base();
    samples += terms.samples;
  }
  double step() const { return stepping / steps; }
  double evaluation_each() const { return evaluations > 0 ? evaluation / evaluations : 0; }
};

double over(double value, double expected) { return expected == 0 ? 1 : value / expected; }

/// Sets the factors of a sample's terms over the expected ones.
void set_terms(RunSample& sample, const Sums& drawn, const Sums& expected) {
  sample.step = drawn.step() / expected.step();
  sample.training = over(drawn.training, expected.training);
  sample.evaluation = over(drawn.evaluation, expected.evaluation);
  sample.evaluation_each = over(drawn.evaluation_each(), expected.evaluation_each());
  sample.samples = drawn.samples / expected.samples;
}

/// 90 % intervals of the parts of sampled steps.
std::vector<Interval> part_intervals(const std::vector<StepTimes>& steps,
                                     const StepTimes& expected) {
  std::vector<Interval> intervals;
  std::vector<double> values(steps.size());
  for (std::size_t part = 0; part < step_parts.size(); ++part) {
    std::transform(steps.begin(), steps.end(), values.begin(),
                   [&](const StepTimes& times) { return times.parts[part].base(); });
    intervals.push_back(sampled_interval(values, expected.parts[part].base()));
  }
  return intervals;
}

/// Draws of the inputs that runs sample, sample after sample.
class RunDraws {
 public:
  RunDraws(const Run& run, const Cluster& cluster)
      : run_(run),
        steps_(cluster.name, run.seed),
        site_(DrawStream::Site, run.seed, cluster.name),
        luck_(DrawStream::Benchmark, run.seed),
        batch_(DrawStream::CriticalBatch, run.seed) {}

  void next() {
    static const Distribution of_power{default_power_uncertainty / ninety_percent_deviations};
    static const Distribution of_batch{std::log(critical_batch_uncertainty) /
                                       ninety_percent_deviations};
    for (CommonDraws* stream : {&site_, &luck_, &batch_}) stream->next();
    steps_.next();
    power = of_power.draw(1, site_.normal());
    for (double& each : interruptions) each = site_.normal();
    critical_batch = of_batch.draw(1, batch_.normal());
    run = run_.benchmark ? drawn_benchmark(run_, luck_) : RunDraw{};
    run.step = steps_.deviations();
  }

  RunDraw run{};
  double power = 1;           ///< over the expected one
  double critical_batch = 1;  ///< over the expected one
  InterruptionDeviations interruptions{};

 private:
  const Run& run_;
  StepDraws steps_;
  CommonDraws site_, luck_, batch_;
};

/// Adds the time of a segment, which interruptions lengthen unless the run is a benchmark's.
void add_time(RunSample& sample, const Run& run, const RunSegment& segment,
              const RunBreakdown& terms, const RunDraws& draws) {
  sample.input_seconds += terms.input.time.base();
  sample.start_up_seconds += terms.fixed.time.base();
  if (run.benchmark) {
    sample.time += terms.total().time.base();
    return;
  }
  const Interruptions by =
      drawn_interruptions(segment.expense.interruptions, run.expenses, draws.interruptions);
  const Seconds undisturbed = terms.clocked().time;
  const double seconds = std::min(
      most_seconds, interrupted(undisturbed, by, run.expenses.checkpoint_every).expected.base());
  sample.time += seconds;
  sample.lost_seconds += seconds - undisturbed.base();
}

}  // namespace

SampledRun sampled_run(const Run& run, std::span<const RunSegment> segments,
                       const RunFigures& expected) {
  RunDraws draws(run, segments.front().stretches.front().step->cluster());
  Sums centre;
  for (const RunSegment& segment : segments) centre.add(segment.expected);
  std::vector<StepTimes> steps;  // of a benchmark's run, which has one segment
  SampledRun sampled;
  sampled.samples.reserve(sample_count);
  for (std::size_t i = 0; i < sample_count; ++i) {
    draws.next();
    RunSample sample{.time = 0};
    Sums drawn;
    for (const RunSegment& segment : segments) {
      const bool is_first = &segment == segments.data();
      const double start_up =
          is_first ? draws.run.start_up.value_or(segment.start_up) : segment.start_up;
      const RunBreakdown terms = evaluate(run, segment.stretches, start_up, draws.run);
      drawn.add(terms);
      add_time(sample, run, segment, terms, draws);
      if (run.benchmark) steps.push_back(terms.step);
    }
    set_terms(sample, drawn, centre);
    sample.goodput = run.benchmark ? expected.goodput : drawn.stepping / sample.time;
    if (run.benchmark) sample.lost_seconds = expected.lost_seconds;
    sample.time /= run.benchmark ? expected.score_minutes * 60 : expected.seconds;
    sample.energy = sample.time * draws.power;
    sample.critical_batch = draws.critical_batch;
    sampled.samples.push_back(sample);
  }
  if (run.benchmark)
    sampled.step_part_seconds = part_intervals(steps, segments.front().expected.step);
  return sampled;
}

std::vector<RunSample> with_overrun(std::vector<RunSample> samples, const Overrun& overrun,
                                    double fastest, std::uint64_t seed, double start_up) {
  const Distribution of_steps{std::log(overrun.steps_spread) / ninety_percent_deviations};
  CommonDraws draws(DrawStream::Overrun, seed);
  for (RunSample& sample : samples) {
    draws.next();
    const double steps = of_steps.draw(overrun.steps, draws.normal());
    const double share = std::min(1.0, start_up / sample.time);
    const double drawn = (steps * (1 - share) + share) * std::pow(draws.uniform(), -overrun.excess);
    const double longer = overrun.steps_spread > 1 ? std::max(drawn, fastest / sample.time) : drawn;
    sample.time *= longer;
    sample.energy *= longer;
  }
  return samples;
}

SampledSpread spread_of(const std::vector<RunSample>& samples, double RunSample::*value) {
  if (samples.empty()) return {};
  std::vector<double> values;
  values.reserve(samples.size());
  for (const RunSample& sample : samples) values.push_back(sample.*value);
  return {.median = median(values), .interval = sampled_interval(values, 1)};
}

Interval open_where_endless(Interval interval, double expected, double most) {
  if (expected != 0 && std::abs(interval.high) >= most * std::abs(expected))
    interval.high = std::numeric_limits<double>::infinity();
  return interval;
}

std::optional<double> upper_end(const Interval& interval) {
  return std::isfinite(interval.high) ? std::optional(interval.high) : std::nullopt;
}

}  // namespace training
}  // namespace tofn
