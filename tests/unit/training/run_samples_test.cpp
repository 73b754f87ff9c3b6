#include <algorithm>
#include <cmath>

#include "sim/expense/expense.hpp"
#include "sim/training/run_estimate.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"
#include "tests/unit/training/simulated_run.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A job that states its failures, restarts and checkpoints.
SimulatedRun toy_job(double samples = 64e6) {
  Model model = toy_model();
  const Plan plan = make_plan(Plan{.gradient_accumulation = 2}, 16, 64);
  return {.phases = {{.step = simulate_step(model, plan, toy_machine(), toy_profile()),
                      .samples = samples}},
          .start_up = Seconds{},
          .expenses = {.price = 2.0,
                       .time_to_failure = Seconds(16 * 3600.0),
                       .restart = Seconds(60),
                       .checkpoint = Seconds(1)}};
}

Interval goodput_of(const RunEstimate& run) {
  return run.interval(figure_of(&RunFigures::goodput));
}

double width(const Interval& of) { return std::log(of.high / of.low); }

}  // namespace

TEST_CASE("samples stretch steps, and neither start-up nor the reading of input") {
  SimulatedRun job = toy_job();
  job.expenses.time_to_failure = Seconds(1e30);
  const RunEstimate alone = estimate(job);
  const double training = alone.expected.training_seconds;
  const double step = job.phases[0].step.times.total.base();
  job.start_up = Seconds(training);
  // Input takes twice the step, so each step waits as long as it takes.
  job.input_rate = 64 / (job.phases[0].step.cluster.nodes_of(16) * 2 * step);
  const RunEstimate both = estimate(job);
  REQUIRE(both.expected.input_seconds == Approx(training));
  for (std::size_t i = 0; i < both.samples.size(); i += 100) {
    const double steps_and_waits = std::max(2.0, alone.samples[i].time);
    CHECK_THAT(both.samples[i].time, WithinRel((steps_and_waits + 1) / 3, 1e-9));
  }
}

TEST_CASE("a restart that nobody states is in doubt as its row says") {
  SimulatedRun job = toy_job();
  const RunEstimate stated = estimate(job);
  job.expenses.restart.reset();
  const RunEstimate drawn = estimate(job);
  const Seconds training(drawn.expected.training_seconds);
  const auto goodput_at = [&](double deviations) {
    Interruptions by = drawn.expense.interruptions;
    by.restart *= std::exp(1.5 * deviations);
    return training / interrupted(training, by).expected;
  };
  CHECK_THAT(1 - goodput_of(drawn).low, WithinRel(1 - goodput_at(1.645), 0.1));
  CHECK_THAT(1 - goodput_of(drawn).high, WithinRel(1 - goodput_at(-1.645), 0.1));
  CHECK(width(goodput_of(stated)) < 0.001);
  CHECK(width(drawn.time.interval) > width(stated.time.interval));
  CHECK(drawn.interval(figure_of(&RunFigures::lost_seconds)).high >
        2 * stated.interval(figure_of(&RunFigures::lost_seconds)).high);
}

TEST_CASE("days, hours and cost of a run are drawn with one overrun, energy with its power too") {
  SimulatedRun job = toy_job();
  const RunEstimate simulated = estimate(job);
  job.overrun = {.steps = 1.5, .steps_spread = 4};
  const RunEstimate run = estimate(job);
  const double fastest = run.fastest;
  CHECK(fastest < 1);
  CHECK(run.expected.days == simulated.expected.days);
  CHECK(simulated.typical(figure_of(&RunFigures::days)) == simulated.expected.days);
  for (const auto value : {&RunFigures::seconds, &RunFigures::days, &RunFigures::accelerator_hours,
                           &RunFigures::usd, &RunFigures::kilowatt_hours}) {
    const RunFigure& figure = figure_of(value);
    INFO(figure.name);
    const double expected = run.expected.*value;
    const Interval range = run.interval(figure);
    CHECK_THAT(*run.typical(figure), WithinRel(1.5 * expected, 0.04));
    CHECK_THAT(range.high, WithinRel(1.5 * 4 * expected, 0.08));
    if (figure.rests_on != RestsOn::Power)
      CHECK_THAT(range.low, WithinRel(fastest * expected, 1e-9));  // 1.5 / 4 would be lower
    CHECK((range.low < *run.typical(figure) && *run.typical(figure) < range.high));
  }
  CHECK(width(simulated.interval(figure_of(&RunFigures::kilowatt_hours))) >
        1.5 * width(simulated.interval(figure_of(&RunFigures::days))));
  const RunFigure& step = figure_of(&RunFigures::step_seconds);
  CHECK(width(run.interval(step)) == width(simulated.interval(step)));
  CHECK(run.typical(step) == run.value(step));
}

TEST_CASE("what a run adds to its steps is one-sided, exponential in its logarithm") {
  SimulatedRun job = toy_job();
  const RunEstimate simulated = estimate(job);
  job.overrun = {.excess = 0.2};
  const RunEstimate run = estimate(job);
  double sum = 0;
  int beyond = 0;
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const double longer = run.samples[i].time / simulated.samples[i].time;
    REQUIRE(longer >= 1);
    sum += std::log(longer);
    if (longer > std::exp(0.2 * std::log(10.0))) ++beyond;
  }
  const auto count = static_cast<double>(run.samples.size());
  CHECK_THAT(sum / count, WithinRel(0.2, 0.05));
  CHECK_THAT(beyond / count, WithinAbs(0.1, 0.02));
}

TEST_CASE("runs whose steps were measured keep what they add to them alone") {
  SimulatedRun job = toy_job();
  job.overrun = published_overrun;
  job.phases[0].step.rests_on_own_steps = true;
  const RunEstimate run = estimate(job);
  CHECK(run.overrun.steps == 1);
  CHECK(run.overrun.steps_spread == 1);
  CHECK(run.overrun.excess == published_overrun.excess);
}

TEST_CASE("no step is shorter than its chip's best product allows, nor is any draw of a run") {
  const SimulatedStep step = toy_job().phases[0].step;
  // Lower bound: model FLOPs of 64 samples on 16 accelerators at 85 % of the peak, because no
  // product is measured.
  REQUIRE_FALSE(step.cluster.accelerator.best_product);
  const Seconds least = 64 * model_flops(step.model) / (0.85 * 16 * step.peak());
  CHECK_THAT(step.shortest().base(), WithinRel(least.base(), 1e-12));
  StepPerturbation fast;
  fast.stack = 1e-9;
  CHECK_THAT(step.responses.factor(fast) * step.times.total.base(), WithinRel(least.base(), 1e-9));
}

TEST_CASE("a run that fails faster than it goes on has no end in some draws, and says so") {
  SimulatedRun job = toy_job(64e9);
  job.expenses.time_to_failure = Seconds(16 * 80.0);
  job.expenses.restart.reset();
  const RunEstimate run = estimate(job);
  CHECK(goodput_of(run).low < 1e-6);
  CHECK(std::isfinite(run.time.interval.high));
  CHECK(run.time.interval.high > 1e6);
  for (const auto figure : {&RunFigures::days, &RunFigures::lost_seconds, &RunFigures::usd,
                            &RunFigures::kilowatt_hours}) {
    CHECK(std::isfinite(run.interval(figure_of(figure)).low));
    CHECK_FALSE(upper_end(run.interval(figure_of(figure))));
  }
  CHECK(upper_end(run.interval(figure_of(&RunFigures::goodput))));
  CHECK(upper_end(run.interval(figure_of(&RunFigures::step_seconds))));
}

TEST_CASE("the overrun of steps is of the time without the start-up") {
  const std::vector<RunSample> one(4, RunSample{.time = 1});
  const Overrun twice{.steps = 2};
  for (const auto& [start_up, time] :
       {std::pair(0.0, 2.0), std::pair(0.25, 1.75), std::pair(1.0, 1.0)})
    for (const RunSample& sample : with_overrun(one, twice, 1, default_seed, start_up))
      CHECK_THAT(sample.time, WithinRel(time, 1e-12));
}
