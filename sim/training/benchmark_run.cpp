#include "sim/training/benchmark_run.hpp"

#include <cmath>
#include <memory>

#include "sim/model/layer_work.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/step_activity.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/training/job.hpp"
#include "sim/training/run_samples.hpp"

namespace tofn {
inline namespace training {
namespace {

/// Arithmetic of a sample, as far as the workload's layers or its model give it.
struct TaskWork {
  Flops model;
  Flops hardware{};            ///< models only
  double parameter_flops = 0;  ///< models only
  double sequence_length = 0;  ///< models only; 0: samples are no texts
};

TaskWork task_work(const RunDescription& run) {
  const auto& simulated = run.workload->simulated;
  if (!simulated) return {.model = total_work(*run.workload).total()};
  const Plan plan = simulated_plan(*run.workload, run.plan, run.settings);
  const SampleWork work = sample_work(simulated->model, plan);
  return {.model = work.model,
          .hardware = work.hardware,
          .parameter_flops = work.parameter_flops,
          .sequence_length = simulated->model.sequence_length};
}

FlopsPerSecond peak_of(const BenchmarkRun& of) {
  const RunDescription& run = of.description;
  const auto& simulated = run.workload->simulated;
  const Precision precision =
      simulated ? requested_precision(simulated->model,
                                      simulated_plan(*run.workload, run.plan, run.settings))
                : of.parameters.compute.precision.matmul;
  return run.cluster->accelerator.peak_at(precision) * run.plan.accelerators();
}

/// Sets every figure that follows from the step time.
void set_step(RunFigures& f, const BenchmarkRun& of, double step_seconds) {
  const Plan& plan = of.description.plan;
  const TaskWork work = task_work(of.description);
  const double batch = plan.global_batch();
  const double rate = batch / step_seconds;
  const FlopsPerSecond peak = peak_of(of);
  const auto share = [&](Flops of_sample) {
    return of_sample * batch / (peak * Seconds{step_seconds});
  };
  f.step_seconds = step_seconds;
  f.samples_per_second = rate;
  f.tokens_per_second = rate * work.sequence_length;
  f.tokens_per_second_each = f.tokens_per_second / plan.accelerators();
  f.mfu = share(work.model);
  f.hfu = share(work.hardware);
  f.mfu_6n = share(Flops{work.parameter_flops * work.sequence_length});
}

/// Sets every figure that follows from the number of samples.
void set_samples(RunFigures& f, const BenchmarkRun& of, double samples) {
  const TaskWork work = task_work(of.description);
  f.samples = samples;
  f.steps = samples / of.description.plan.global_batch();
  f.tokens = samples * work.sequence_length;
  f.petaflop_per_second_days = petaflop_per_second_days(samples * work.model);
}

/// Share of extra samples of a run to the target, compared with very small batches; 0 if unknown.
double price_of_batch(const BenchmarkRun& of) {
  const auto law = fit_batch_law(of.description.workload->convergence);
  return law ? batch_price(of.description.plan.global_batch(), law->critical_batch) : 0;
}

RunFigures expected_figures(const BenchmarkRun& of, const Expense& expense, double grid) {
  const RunBreakdown& run = of.prediction.expected;
  const Plan& plan = of.description.plan;
  RunFigures f;
  set_step(f, of, run.step.total.base());
  set_samples(f, of, of.has_target() ? run.samples : plan.global_batch());
  f.training_seconds = of.has_target() ? run.training.time.base() : f.step_seconds;
  f.evaluations = run.evaluations;
  f.evaluation_seconds = run.evaluation.time.base();
  f.evaluation_each_seconds = run.evaluation_each.time.base();
  f.start_up_seconds = run.fixed.time.base();
  f.score_scaling_seconds = run.score_scaling.time.base();
  f.score_minutes = run.total().time.base() / 60;
  f.seconds = expense.run.expected.base();
  f.lost_seconds = f.seconds - f.training_seconds - f.evaluation_seconds - f.start_up_seconds;
  f.days = f.seconds / (24 * seconds_per_hour);
  f.goodput = f.training_seconds / f.seconds;
  f.accelerator_hours = expense.accelerator_hours;
  f.kilowatt_hours = kilowatt_hours(expense.energy.total());
  f.co2_tonnes = f.kilowatt_hours * grid / 1e6;
  f.usd = expense.usd.value_or(0);
  f.batch_price = price_of_batch(of);
  return f;
}

/// Figures that neither the workload's layers nor measured steps give.
std::vector<double RunFigures::*> unknown_of(const BenchmarkRun& of, const RunFigures& f) {
  std::vector<double RunFigures::*> unknown{&RunFigures::input_seconds};
  const auto add = [&](std::initializer_list<double RunFigures::*> figures) {
    unknown.insert(unknown.end(), figures);
  };
  if (!of.description.workload->simulated)
    add({&RunFigures::hfu, &RunFigures::mfu_6n, &RunFigures::memory_gigabytes});
  if (f.tokens == 0)
    add({&RunFigures::tokens, &RunFigures::tokens_per_second, &RunFigures::tokens_per_second_each});
  if (f.batch_price == 0) add({&RunFigures::batch_price});
  if (!of.has_target())
    add({&RunFigures::score_minutes, &RunFigures::score_scaling_seconds, &RunFigures::evaluations,
         &RunFigures::evaluation_seconds, &RunFigures::evaluation_each_seconds,
         &RunFigures::start_up_seconds});
  return unknown;
}

/// Samples of the run with those of power and critical batch. No interruptions are sampled, because
/// a benchmark's score has none.
std::vector<RunSample> samples_of(const BenchmarkRun& of, const RunFigures& expected) {
  const std::uint64_t seed = of.prediction.seed;
  SiteDraws site_draws(*of.description.cluster, seed);
  CriticalBatchDraws batch_draws(seed);
  std::vector<RunSample> samples = of.prediction.drawn;
  for (RunSample& sample : samples) {
    site_draws.next();
    sample.energy = sample.time * site_draws.power();
    sample.critical_batch = batch_draws.next();
    sample.goodput = expected.goodput;
    sample.lost_seconds = expected.lost_seconds;
  }
  return samples;
}

}  // namespace

RunEstimate estimate(const BenchmarkRun& of, const ExpenseOptions& options, double grid) {
  const RunDescription& request = of.description;
  const RunBreakdown& run = of.prediction.expected;
  const bool trains = of.has_target();
  const Basis basis = trains ? run.total().basis : run.step.cost().basis;
  RunEstimate all{
      .plan = request.plan,
      .step = run.step,
      .expense = expense_of(*request.cluster, placed_job(request.plan, *request.cluster),
                            trains ? activity_of(run) : activity_of(run.step), basis, options),
      .step_basis = run.step.cost().basis,
      .basis = basis,
      .expected = {},
      .bases = {{&RunFigures::samples, of.parameters.samples.basis},
                {&RunFigures::petaflop_per_second_days, of.parameters.samples.basis},
                {&RunFigures::training_seconds, run.training.basis},
                {&RunFigures::evaluation_seconds, run.evaluation.basis},
                {&RunFigures::evaluation_each_seconds, run.evaluation_each.basis},
                {&RunFigures::start_up_seconds, run.fixed.basis},
                {&RunFigures::score_scaling_seconds, run.score_scaling.basis}},
      .benchmark = std::make_shared<const BenchmarkRun>(of)};
  all.expected = expected_figures(of, all.expense, grid);
  if (request.workload->simulated) {
    all.memory =
        simulated_footprint(*request.workload, *request.cluster, request.plan, request.settings);
    all.expected.memory_gigabytes = all.memory->total().base() / 1e9;
  }
  all.unknown = unknown_of(of, all.expected);
  all.samples = samples_of(of, all.expected);
  all.time = spread_of(all.samples, &RunSample::time);
  return all;
}

}  // namespace training
}  // namespace tofn
