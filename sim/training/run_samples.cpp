#include "sim/training/run_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/simulation/step_uncertainty.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace training {
namespace {

/// Stands for an infinite time, of a run that fails more often than it advances.
constexpr double most_seconds = 1e30;

/// Sums over the stretches of one sample.
struct SampledTotals {
  double expected_steps = 0, steps = 0;
  double expected_evaluation = 0, evaluation = 0;
};

/// Adds one sample of a stretch: steps and evaluations vary with the inputs of the step, the wait
/// for samples is what reading takes beyond them, and interruptions lengthen all of it.
void add_stretch(const SampledStretch& stretch, const StepDraws& step_draws,
                 const SiteDraws& site_draws, const ExpenseOptions& stated, RunSample& sample,
                 SampledTotals& sum) {
  double expected = 0;
  double steps_time = 0;
  double waiting = 0;
  for (const SampledSteps& steps : stretch.steps) {
    const StepPerturbation by = step_draws.factors(steps.responses->spreads());
    const double seconds = steps.seconds * steps.responses->factor(by);
    expected += steps.seconds;
    steps_time += seconds;
    waiting += std::max(0.0, steps.read_seconds - seconds);
  }
  const double evaluation = stretch.evaluation_seconds * steps_time / expected;
  const double undisturbed = steps_time + evaluation + waiting + stretch.start_up_seconds;
  const Interruptions by =
      drawn_interruptions(stretch.interruptions, stated, site_draws.interruptions());
  const double seconds = std::min(
      most_seconds, interrupted(Seconds{undisturbed}, by, stated.checkpoint_every).expected.base());
  sample.time += seconds;
  sample.lost_seconds += seconds - undisturbed;
  sample.input_seconds += waiting;
  sample.start_up_seconds += stretch.start_up_seconds;
  sum.expected_steps += expected;
  sum.steps += steps_time;
  sum.expected_evaluation += stretch.evaluation_seconds;
  sum.evaluation += evaluation;
}

}  // namespace

double CriticalBatchDraws::next() {
  static const Distribution of_batch{std::log(critical_batch_uncertainty) /
                                     ninety_percent_deviations};
  draws_.next();
  return of_batch.draw(1, draws_.normal());
}

void SiteDraws::next() {
  static const Distribution of_power{default_power_uncertainty / ninety_percent_deviations};
  draws_.next();
  power_ = of_power.draw(1, draws_.normal());
  for (double& each : interruptions_) each = draws_.normal();
}

std::vector<RunSample> sampled_run(const std::vector<SampledStretch>& stretches,
                                   double expected_seconds, const Cluster& cluster,
                                   const ExpenseOptions& stated, std::uint64_t seed) {
  StepDraws step_draws(cluster.name, seed);
  SiteDraws site_draws(cluster, seed);
  CriticalBatchDraws batch_draws(seed);
  std::vector<RunSample> samples(sample_count);
  for (RunSample& sample : samples) {
    step_draws.next();
    site_draws.next();
    sample.time = 0;
    SampledTotals sum;
    for (const SampledStretch& stretch : stretches)
      add_stretch(stretch, step_draws, site_draws, stated, sample, sum);
    sample.goodput = sum.steps / sample.time;
    sample.time /= expected_seconds;
    sample.energy = sample.time * site_draws.power();
    sample.step = sample.training = sum.steps / sum.expected_steps;
    if (sum.expected_evaluation > 0)
      sample.evaluation = sample.evaluation_each = sum.evaluation / sum.expected_evaluation;
    sample.critical_batch = batch_draws.next();
  }
  return samples;
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

Interval open_where_endless(Interval interval, double expected) {
  if (expected != 0 && std::abs(interval.high) >= endless * std::abs(expected))
    interval.high = std::numeric_limits<double>::infinity();
  return interval;
}

std::optional<double> upper_end(const Interval& interval) {
  return std::isfinite(interval.high) ? std::optional(interval.high) : std::nullopt;
}

}  // namespace training
}  // namespace tofn
