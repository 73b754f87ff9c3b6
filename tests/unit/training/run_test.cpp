#include "sim/training/run.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/training/synthetic_runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A run of eight replicas of 4 samples at 1000 TFLOP/s * 0.5: a step takes 3 TFLOP * 4 / 500
/// TFLOP/s = 24 ms and 6 ms of overhead, without communication.
class Runs {
 public:
  Runs() {
    parameters.compute.efficiency = 0.5;
    parameters.compute.overhead = 6_ms;
    parameters.evaluation_factor = {.value = 1, .spread = 0, .basis = Basis::Interpolated};
    parameters.fixed = {.value = 40, .spread = 0, .basis = Basis::Interpolated};
    parameters.samples = {.expected = 32000, .basis = Basis::Measured};
  }
  RunDescription description() const {
    RunDescription run = synthetic_run(workload, cluster, 4);
    run.settings = settings;
    return run;
  }
  RunBreakdown expected() const { return run().expected(); }
  Run run() const { return benchmark_run(description(), parameters); }
  Evaluations evaluations() const { return evaluations_of({description(), parameters}); }
  /// Time of a forward pass of an evaluation.
  double forward() const {
    const Evaluations each = evaluations();
    return run().stretches[0].step->forward_pass(each.samples, each.passes).base();
  }
  double evaluation_time() const { return evaluations().each(*run().stretches[0].step).base(); }

  Workload workload = synthetic_workload();
  Cluster cluster = synthetic_cluster();
  RunSettings settings;
  RunParameters parameters;
};

}  // namespace

TEST_CASE_METHOD(Runs, "a run is its steps, its evaluations and its fixed time") {
  const RunBreakdown run = expected();
  CHECK(run.steps == 1000);
  CHECK_THAT(run.step.total.base(), WithinRel(0.030, 1e-6));
  CHECK_THAT(run.training.time.base(), WithinRel(30.0, 1e-6));
  CHECK(run.evaluations == 32);
  CHECK(run.fixed.time == 40_s);
  CHECK(run.score_scaling.time == 0_s);
  CHECK_THAT(run.total().time.base(),
             WithinRel((run.training.time + run.evaluation.time + run.fixed.time).base(), 1e-6));
}

TEST_CASE_METHOD(Runs, "an evaluation is full passes of every replica's share") {
  // 100 samples over 8 replicas are 13 each. A forward pass takes 1 TFLOP a sample, 2 ms, and a
  // quarter of the overhead, because 100 of 400 operators are forward ones: 1.5 ms.
  CHECK(evaluations().passes == 1);
  CHECK_THAT(forward(), WithinRel(13 * 0.002 + 0.0015, 1e-6));
  workload.evaluation.batch = Sourced<double>{4};
  parameters.evaluation = {.host = 0_s, .per_forward = 2};
  CHECK(evaluations().passes == 4);
  CHECK_THAT(forward(), WithinRel(4 * 0.002 + 0.0015, 1e-6));
  CHECK_THAT(evaluation_time(), WithinRel(4 * 2 * 0.0095, 1e-6));
  // The host is ahead of the device until it needs more time.
  parameters.evaluation.host = 18_ms;
  CHECK_THAT(evaluation_time(), WithinRel(4 * 2 * 0.0095, 1e-6));
  parameters.evaluation.host = 100_ms;
  CHECK_THAT(evaluation_time(), WithinRel(0.4, 1e-6));
  parameters.evaluation_factor.value = 1.5;
  CHECK_THAT(expected().evaluation_each.time.base(), WithinRel(1.5 * 0.4, 1e-6));
  CHECK_THAT(expected().evaluation.time.base(), WithinRel(32 * 1.5 * 0.4, 1e-6));
}

TEST_CASE_METHOD(Runs, "a batch of evaluation larger than a replica's share is that share") {
  workload.evaluation.batch = Sourced<double>{64};
  CHECK(evaluations().passes == 1);
  CHECK_THAT(forward(), WithinRel(13 * 0.002 + 0.0015, 1e-6));
}

TEST_CASE_METHOD(Runs, "evaluations are left out at the start, as the run or else the rules say") {
  workload.evaluation.skipped = {3};
  CHECK(expected().evaluations == 29);
  settings.skipped_evaluations = 5;
  CHECK(expected().evaluations == 27);
  settings.skipped_evaluations = 0;
  CHECK(expected().evaluations == 32);
  settings.skipped_evaluations = 400;
  CHECK(expected().evaluations == 1);  // the evaluation that reaches the target
}

TEST_CASE_METHOD(Runs, "a run's own interval replaces the workload's") {
  settings.evaluation_interval = 4000;
  CHECK(expected().evaluations == 8);
  CHECK(run().benchmark->evaluation_interval() == 4000);
}

TEST_CASE_METHOD(Runs, "an evaluation after training takes no time of the run") {
  workload.evaluation.mode = EvaluationMode::Offline;
  CHECK(expected().evaluations == 0);
  CHECK(expected().evaluation.time == 0_s);
}

TEST_CASE_METHOD(Runs, "fixed time may be counted in steps") {
  parameters.fixed_is_in_steps = true;
  parameters.fixed.value = 12;
  CHECK_THAT(expected().fixed.time.base(), WithinRel(12 * 0.030, 1e-6));
}

TEST_CASE_METHOD(Runs, "steps that the clock missed are no training, and no wait below zero") {
  parameters.fixed_is_in_steps = true;
  parameters.fixed.value = -12;
  const RunBreakdown run = expected();
  CHECK(run.steps == 1000);  // steps for the samples
  CHECK(run.fixed.time == 0_s);
  CHECK_THAT(run.training.time.base(), WithinRel(988 * 0.030, 1e-6));
  CHECK_THAT(run.beside_steps().base(), WithinRel(-12 * 0.030, 1e-6));
  parameters.fixed.value = -2000;
  CHECK(expected().training.time == 0_s);
  parameters.fixed_is_in_steps = false;
  parameters.fixed.value = -5;  // seconds
  CHECK(expected().fixed.time == 0_s);
  CHECK_THAT(expected().training.time.base(), WithinRel(25.0, 1e-6));
}

TEST_CASE_METHOD(Runs, "scores are scaled by what lucky convergence is expected to cost") {
  parameters.samples.run_deviation = 3200;
  // Ten runs without the best and the worst: the mean of 8 spreads by 10 % / sqrt(8) = 3.536 %. The
  // positive half of a normal distribution has a mean of 1/sqrt(2 pi) = 0.39894 of that.
  const RunBreakdown run = expected();
  const double unscaled = (run.training.time + run.evaluation.time + run.fixed.time).base();
  CHECK_THAT(run.score_scaling.time.base(), WithinRel(unscaled * 0.0141047, 1e-4));
  CHECK_THAT(run.total().time.base(), WithinRel(unscaled * 1.0141047, 1e-6));
}

TEST_CASE_METHOD(Runs, "a run rests on its weakest term") {
  parameters.compute.basis = Basis::Interpolated;
  parameters.compute.overhead_basis = Basis::Interpolated;
  parameters.samples.basis = Basis::Extrapolated;
  CHECK(expected().training.basis >= Basis::Extrapolated);
  CHECK(expected().fixed.basis == Basis::Interpolated);
  parameters.fixed.basis = Basis::Assumed;
  CHECK(expected().total().basis == Basis::Assumed);
}

TEST_CASE_METHOD(Runs, "a draw takes the place of the centre") {
  // A deviation doubles or halves.
  parameters.compute.efficiency_spread = parameters.compute.overhead_spread = std::log(2.0);
  RunDraw draw{.evaluation = 3, .start_up = 10, .samples = 2, .score_factor = 1.25};
  for (std::size_t i = 0; i < step_uncertainties.size(); ++i) {
    if (step_uncertainties[i].factor == &StepPerturbation::arithmetic) draw.step[i] = 1;
    if (step_uncertainties[i].factor == &StepPerturbation::overhead) draw.step[i] = -1;
  }
  const RunBreakdown run = this->run().evaluate(draw);
  CHECK_THAT(run.step.total.base(), WithinRel(2 * 0.024 + 0.003, 1e-6));
  CHECK(run.steps == 2000);
  CHECK(run.evaluations == 64);
  CHECK_THAT(run.evaluation_each.time.base(), WithinRel(3 * (2 * 13 * 0.002 + 0.00075), 1e-6));
  CHECK(run.fixed.time == 10_s);
  CHECK_THAT(
      run.score_scaling.time.base(),
      WithinRel(0.25 * (run.training.time + run.evaluation.time + run.fixed.time).base(), 1e-6));
}
