#include "sim/training/benchmark_run.hpp"

#include <cmath>
#include <memory>

#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/step_activity.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/training/job.hpp"
#include "sim/training/run_samples.hpp"

namespace tofn {
inline namespace training {
namespace {

/// Sets every figure that follows from the step time.
void set_step(RunFigures& f, const BenchmarkRun& of, double step_seconds) {
  const Plan& plan = of.model.description().plan;
  const SampleWork work = of.model.step().sample_work();
  const double batch = plan.global_batch();
  const double rate = batch / step_seconds;
  const FlopsPerSecond peak = of.model.step().peak() * plan.accelerators();
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
  const SampleWork work = of.model.step().sample_work();
  f.samples = samples;
  f.steps = samples / of.model.description().plan.global_batch();
  f.tokens = samples * work.sequence_length;
  f.petaflop_per_second_days = petaflop_per_second_days(samples * work.model);
}

/// Share of extra samples of a run to the target, compared with very small batches; 0 if unknown.
double price_of_batch(const BenchmarkRun& of) {
  const auto law = fit_batch_law(of.model.description().workload->convergence);
  return law ? batch_price(of.model.description().plan.global_batch(), law->critical_batch) : 0;
}

RunFigures expected_figures(const BenchmarkRun& of, const Expense& expense, double grid) {
  const RunBreakdown& run = of.prediction.expected;
  const Plan& plan = of.model.description().plan;
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
  set_expense(f, expense, grid);
  f.batch_price = price_of_batch(of);
  return f;
}

/// Figures that neither the workload's layers nor measured steps give.
std::vector<double RunFigures::*> unknown_of(const BenchmarkRun& of, const RunFigures& f) {
  std::vector<double RunFigures::*> unknown{&RunFigures::input_seconds};
  const auto add = [&](std::initializer_list<double RunFigures::*> figures) {
    unknown.insert(unknown.end(), figures);
  };
  if (f.memory_gigabytes == 0)
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
  SiteDraws site_draws(*of.model.description().cluster, seed);
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
  const RunDescription& request = of.model.description();
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
      .bases = {{&RunFigures::samples, of.model.parameters().samples.basis},
                {&RunFigures::petaflop_per_second_days, of.model.parameters().samples.basis},
                {&RunFigures::training_seconds, run.training.basis},
                {&RunFigures::evaluation_seconds, run.evaluation.basis},
                {&RunFigures::evaluation_each_seconds, run.evaluation_each.basis},
                {&RunFigures::start_up_seconds, run.fixed.basis},
                {&RunFigures::score_scaling_seconds, run.score_scaling.basis}},
      .is_scored = true,
      .is_one_step = !trains,
      .sample_work = of.model.step().sample_work(),
      .peak = of.model.step().peak(),
      .step_part_seconds = {of.prediction.step_part_seconds.begin(),
                            of.prediction.step_part_seconds.end()},
      .benchmark = std::make_shared<const BenchmarkRun>(of)};
  all.expected = expected_figures(of, all.expense, grid);
  all.memory = of.model.step().footprint();
  if (all.memory) all.expected.memory_gigabytes = all.memory->total().base() / 1e9;
  all.unknown = unknown_of(of, all.expected);
  all.samples = samples_of(of, all.expected);
  all.time = spread_of(all.samples, &RunSample::time);
  return all;
}

}  // namespace training
}  // namespace tofn
