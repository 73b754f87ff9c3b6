#include <cmath>
#include <functional>

#include "sim/core/statistics.hpp"
#include "sim/training/run_estimate.hpp"
#include "tests/catch.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"
#include "tests/unit/training/synthetic_runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A run in one domain without communication, so that every spread comes from the parameters. 32000
/// samples are 32 intervals of evaluation.
class Predictions {
 public:
  Predictions() {
    parameters.compute.efficiency = 0.5;
    parameters.compute.overhead = 6_ms;
    parameters.evaluation_factor = {.value = 1, .spread = 0, .basis = Basis::Interpolated};
    parameters.fixed = {.value = 40, .spread = 0, .basis = Basis::Interpolated};
    parameters.samples = {.expected = 32000, .basis = Basis::Measured};
  }
  RunEstimate prediction(std::uint64_t seed = 1) const {
    return estimate(benchmark_run(run, parameters, seed));
  }
  Interval interval(double RunFigures::*figure) const {
    return prediction().interval(figure_of(figure));
  }
  RunBreakdown expected() const { return benchmark_run(run, parameters).expected(); }

  Workload workload = synthetic_workload();
  Cluster cluster = synthetic_cluster();
  RunDescription run = synthetic_run(workload, cluster, 4);
  RunParameters parameters;
};

double width_of_interval(const Interval& interval) { return interval.high - interval.low; }

bool is_point(const Interval& interval, double value) {
  return std::abs(interval.low - value) <= 1e-9 * value &&
         std::abs(interval.high - value) <= 1e-9 * value;
}

}  // namespace

TEST_CASE_METHOD(Predictions, "without spreads the intervals shrink to the expectation") {
  CHECK(is_point(interval(&RunFigures::score_minutes), expected().total().time.base() / 60));
  CHECK(is_point(interval(&RunFigures::step_seconds), expected().step.total.base()));
  CHECK(is_point(interval(&RunFigures::samples), 32000));
  CHECK(is_point(interval(&RunFigures::evaluation_seconds), expected().evaluation.time.base()));
  CHECK(is_point(interval(&RunFigures::start_up_seconds), 40));
}

TEST_CASE_METHOD(Predictions, "a term's interval widens with its own spread") {
  struct Row {
    const char* name;
    std::function<void(RunParameters&, double)> spread;
    double RunFigures::*figure;
    double centre;
  };
  const RunBreakdown at_centre = expected();
  const std::vector<Row> rows{
      {"efficiency", [](auto& p, double s) { p.compute.efficiency_spread = s; },
       &RunFigures::step_seconds, 0.024},
      {"overhead", [](auto& p, double s) { p.compute.overhead_spread = s; },
       &RunFigures::step_seconds, 0.006},
      {"evaluation", [](auto& p, double s) { p.evaluation_factor.spread = s; },
       &RunFigures::evaluation_seconds, at_centre.evaluation.time.base()},
      {"fixed", [](auto& p, double s) { p.fixed.spread = 40 * s; }, &RunFigures::start_up_seconds,
       40},
      {"reference samples", [](auto& p, double s) { p.samples.expected_deviation = 32000 * s; },
       &RunFigures::samples, 32000},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    row.spread(parameters, 0.05);
    const double narrow = width_of_interval(interval(row.figure));
    const double narrow_total = width_of_interval(interval(&RunFigures::score_minutes));
    row.spread(parameters, 0.15);
    const double wide = width_of_interval(interval(row.figure));
    CHECK(wide > 2 * narrow);
    CHECK(width_of_interval(interval(&RunFigures::score_minutes)) > narrow_total);
    // 90 % of a normal distribution is within 1.645 deviations; 2000 samples show that to some 6 %,
    // and runs that end at evaluations, one in 32 of the samples, to 15 %.
    const bool ends_at_evaluations = row.figure == &RunFigures::samples;
    CHECK_THAT(narrow, WithinRel(2 * 1.645 * 0.05 * row.centre, ends_at_evaluations ? 0.15 : 0.06));
    row.spread(parameters, 0);
  }
}

TEST_CASE_METHOD(Predictions, "runs end on the cadence of evaluation and are averaged") {
  parameters.samples.run_deviation = 3000;
  run.runs = 1;
  const Interval single = interval(&RunFigures::samples);
  CHECK(std::fmod(single.low, 1000) == 0);
  CHECK(std::fmod(single.high, 1000) == 0);
  run.runs = 10;
  const Interval of_ten = interval(&RunFigures::samples);
  CHECK(of_ten.contains(32000));
  CHECK(width_of_interval(of_ten) <
        width_of_interval(single) / 2);  // the mean of 8 spreads 1/sqrt(8) as much
}

// 32,015 less half an interval is 31.515 intervals, so every run ends on the 32nd.
TEST_CASE_METHOD(Predictions, "an interval holds what is expected between two evaluations") {
  parameters.samples.expected = 32015;
  const Interval samples = interval(&RunFigures::samples);
  CHECK(samples.low == 32000);
  CHECK(samples.high == 32015);
}

TEST_CASE_METHOD(Predictions, "a fast convergence is scaled up, a slow one is not scaled down") {
  parameters.samples.run_deviation = 3000;
  const double step = expected().step.total.base() / run.plan.global_batch();
  const double each = expected().evaluation_each.time.base() / 1000;
  const Interval minutes = interval(&RunFigures::score_minutes);
  const Interval samples = interval(&RunFigures::samples);
  const auto unscaled = [&](double trained) { return 40 + trained * (step + each); };
  // No sample scores less than the reference mean, and the slow tail does not change.
  CHECK(60 * minutes.low > unscaled(samples.low) * 1.02);
  CHECK(60 * minutes.low >= unscaled(32000) * 0.999);
  CHECK_THAT(60 * minutes.high, WithinRel(unscaled(samples.high), 0.01));
}

TEST_CASE_METHOD(Predictions, "equal seeds give equal intervals, another seed another one") {
  parameters.compute.efficiency_spread = 0.1;
  CHECK(prediction(7).time.interval.low == prediction(7).time.interval.low);
  CHECK(prediction(7).time.interval.high == prediction(7).time.interval.high);
  CHECK(prediction(7).time.interval.low != prediction(8).time.interval.low);
}

// The law is 1000 samples x (1 + batch / 64), so at a batch of 32 a third of them is extra.
TEST_CASE_METHOD(Predictions, "a benchmark's batch costs what the law of its points says") {
  workload.convergence.clear();
  for (const double batch : {16.0, 64.0, 256.0})
    workload.convergence.push_back(
        {.batch = batch, .samples = 1000 * (1 + batch / 64), .standard_deviation = 1, .runs = 20});
  REQUIRE(run.plan.global_batch() == 32);
  const RunEstimate made = prediction();
  CHECK_THAT(made.expected.batch_price, WithinRel(1.0 / 3, 1e-3));
}

TEST_CASE_METHOD(Predictions, "every figure of a benchmark's run follows from the others") {
  workload.simulated = {.model = toy_model(), .plan = {}, .kernels = toy_profile()};
  cluster.accelerator.power = {Watts(500), "made up"};
  Run priced = benchmark_run(run, parameters);
  priced.expenses.price = 2.0;
  priced.grid_intensity = 400;
  const RunEstimate made = estimate(priced);
  const RunFigures& f = made.expected;
  CHECK(f.samples == 32000);
  CHECK_THAT(f.steps, WithinRel(32000.0 / 32, 1e-12));
  CHECK_THAT(f.tokens, WithinRel(32000.0 * 512, 1e-12));
  CHECK_THAT(f.training_seconds, WithinRel(f.steps * f.step_seconds, 1e-12));
  CHECK_THAT(f.samples_per_second, WithinRel(32 / f.step_seconds, 1e-12));
  CHECK_THAT(f.tokens_per_second, WithinRel(512 * f.samples_per_second, 1e-12));
  CHECK_THAT(f.tokens_per_second_each, WithinRel(f.tokens_per_second / 8, 1e-12));
  CHECK_THAT(f.mfu,
             WithinRel(model_flops(toy_model()).base() * f.samples_per_second / 8e15, 1e-12));
  CHECK_THAT(f.mfu_6n,
             WithinRel(6 * tofn::parameters(toy_model()) * f.tokens_per_second_each / 1e15, 1e-12));
  CHECK_THAT(f.hfu, WithinRel(f.mfu, 1e-9));  // nothing is recomputed
  CHECK_THAT(f.score_minutes,
             WithinRel((f.training_seconds + f.evaluation_seconds + 40) / 60, 1e-12));
  CHECK_THAT(f.days, WithinRel(f.seconds / (24 * 3600), 1e-12));
  CHECK_THAT(f.goodput, WithinRel(f.training_seconds / f.seconds, 1e-12));
  CHECK_THAT(f.accelerator_hours, WithinRel(8 * f.seconds / 3600, 1e-12));
  CHECK_THAT(f.usd, WithinRel(2 * f.accelerator_hours, 1e-12));
  CHECK(f.kilowatt_hours > 0);
  CHECK_THAT(f.co2_tonnes, WithinRel(0.4 * f.kilowatt_hours / 1000, 1e-12));
  CHECK(made.samples.size() == sample_count);
  std::vector<double> scores;
  for (const RunSample& draw : made.samples) scores.push_back(60 * f.score_minutes * draw.time);
  const Interval drawn = ninety_percent_interval(scores);
  const Interval minutes = made.interval(figure_of(&RunFigures::score_minutes));
  CHECK_THAT(drawn.low, WithinRel(60 * minutes.low, 1e-9));
  CHECK_THAT(drawn.high, WithinRel(60 * minutes.high, 1e-9));
}

TEST_CASE_METHOD(Predictions, "intervals of a benchmark's figures are those of its samples") {
  workload.convergence.clear();
  for (const double batch : {16.0, 64.0, 256.0})
    workload.convergence.push_back(
        {.batch = batch, .samples = 1000 * (1 + batch / 64), .standard_deviation = 1, .runs = 20});
  parameters.compute.efficiency_spread = 0.1;
  parameters.evaluation_factor.spread = 0.2;
  parameters.fixed.spread = 5;
  parameters.samples.expected_deviation = 2000;
  const double flops = total_work(workload).total().base();
  const auto check = [](const Interval& is, double low, double high) {
    CHECK_THAT(is.low, WithinRel(low, 1e-9));
    CHECK_THAT(is.high, WithinRel(high, 1e-9));
  };
  const Interval step = interval(&RunFigures::step_seconds);
  const Interval samples = interval(&RunFigures::samples);
  check(interval(&RunFigures::samples_per_second), 32 / step.high, 32 / step.low);
  check(interval(&RunFigures::mfu), flops * 32 / step.high / 8e15, flops * 32 / step.low / 8e15);
  check(interval(&RunFigures::steps), samples.low / 32, samples.high / 32);
  check(interval(&RunFigures::petaflop_per_second_days), samples.low * flops / 8.64e19,
        samples.high * flops / 8.64e19);
  // The batch of 32 is half of the critical one, whose 90 % interval is a third to three times.
  const Interval extra = interval(&RunFigures::batch_price);
  CHECK_THAT(extra.low, WithinRel(1.0 / 7, 0.05));
  CHECK_THAT(extra.high, WithinRel(3.0 / 5, 0.05));
}

TEST_CASE_METHOD(Predictions, "two predictions on one cluster share their random numbers") {
  parameters.compute.efficiency_spread = 0.1;
  const RunEstimate one = prediction();
  parameters.evaluation_factor.spread = 0.2;
  const RunEstimate other = prediction();
  for (std::size_t i = 0; i < sample_count; i += 100)
    CHECK(one.samples[i].step == other.samples[i].step);
}
