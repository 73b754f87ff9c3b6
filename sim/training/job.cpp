#include "sim/training/job.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sim/parallelism/placed_plan.hpp"
#include "sim/timeline/forward_pass.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace training {
namespace {

using StepTime = double (*)(const SimulatedStep&);

/// Sums over phases.
struct Totals {
  RunFigures figures;
  Activity activity;
  Flops six_n, model, hardware, peak;  ///< `peak`: at the accelerators' peak rate
  Seconds accelerator_time;            ///< of steps

  /// Time without losses, including the start-up.
  double undisturbed() const {
    return figures.training_seconds + figures.evaluation_seconds + figures.input_seconds +
           figures.start_up_seconds;
  }
};

SampleMeasure measure_of(const SimulatedStep& step) {
  return {.batch = step.plan.global_batch(), .sequence_length = step.model.sequence_length};
}

/// Seconds in which the nodes read the samples of one step; 0 without a limit.
double read_time(const Job& job, const SimulatedStep& step) {
  if (!job.input_rate) return 0;
  const int nodes = step.cluster.nodes_of(placed_job(step.plan, step.cluster));
  return step.plan.global_batch() / (nodes * *job.input_rate);
}

double evaluations_of(const Job& job, const SimulatedStep& step, double samples) {
  return job.evaluation.every ? samples / samples_of(*job.evaluation.every, measure_of(step)) : 0;
}

/// Seconds of the phase's evaluations: forward passes of its micro-batches, scaled as the step is.
double evaluation_time(const Job& job, const SimulatedStep& step, double samples, double seconds) {
  if (!job.evaluation.every) return 0;
  const double each = samples_of(job.evaluation.takes, measure_of(step));
  const double passes = std::ceil(each / (step.plan.micro_batch * step.plan.data_parallel_size));
  return evaluations_of(job, step, samples) * forward_pass(step.work).of(passes).base() *
         (seconds / step.times.total.base());
}

/// Extra samples of the phase compared with very small batches.
double price_of_batch(const Job& job, const SimulatedStep& step, double samples) {
  if (!job.critical_batch) return 0;
  const SampleMeasure measure = measure_of(step);
  return samples * batch_price(measure.batch, samples_of(*job.critical_batch, measure));
}

void add_phase(Totals& sum, const Job& job, const JobPhase& phase, const SampleWork& work,
               double seconds) {
  const SimulatedStep& step = phase.step;
  RunFigures& f = sum.figures;
  const double steps = phase.samples / step.plan.global_batch();
  const double tokens = phase.samples * step.model.sequence_length;
  const Seconds time{steps * seconds};
  f.steps += steps;
  f.samples += phase.samples;
  f.tokens += tokens;
  f.training_seconds += time.base();
  f.input_seconds += steps * std::max(0.0, read_time(job, step) - seconds);
  f.evaluations += evaluations_of(job, step, phase.samples);
  f.evaluation_seconds += evaluation_time(job, step, phase.samples, seconds);
  f.batch_price += price_of_batch(job, step, phase.samples);  // in samples as yet
  sum.activity = sum.activity + (time / step.times.total) * step.activity;
  sum.six_n += Flops{work.parameter_flops * tokens};
  sum.model += phase.samples * work.model;
  sum.hardware += phase.samples * work.hardware;
  sum.peak += step.peak() * time * step.plan.accelerators();
  sum.accelerator_time += step.plan.accelerators() * time;
}

/// Activity with evaluations, which draw as much power as steps, and with idle time before the
/// first step and while nodes read samples.
Activity activity_of(const Totals& stretch) {
  const RunFigures& f = stretch.figures;
  Activity activity =
      ((f.training_seconds + f.evaluation_seconds) / f.training_seconds) * stretch.activity;
  activity.idle += Seconds{f.start_up_seconds + f.input_seconds};
  return activity;
}

/// Adds the time and expense of a stretch on a constant number of accelerators, with its
/// interruptions.
Expense add_expense(RunFigures& all, const Totals& stretch, const SimulatedStep& last,
                    const Job& job) {
  const PlacedJob placed = placed_job(last.plan, last.cluster);
  Expense expense =
      expense_of(last.cluster, placed, activity_of(stretch), last.times.cost().basis, job.expenses);
  const double seconds = expense.run.expected.base();
  all.seconds += seconds;
  all.lost_seconds += seconds - stretch.undisturbed();
  all.accelerator_hours += expense.accelerator_hours;
  all.kilowatt_hours += kilowatt_hours(expense.energy.total());
  all.usd += expense.usd.value_or(0);
  return expense;
}

/// Sets the figures that follow from the sums.
void add_rates(RunFigures& f, const Totals& totals, const Job& job) {
  f.step_seconds = f.training_seconds / f.steps;
  f.samples_per_second = f.samples / f.training_seconds;
  f.tokens_per_second = f.tokens / f.training_seconds;
  f.tokens_per_second_each = f.tokens / totals.accelerator_time.base();
  f.mfu_6n = totals.six_n / totals.peak;
  f.mfu = totals.model / totals.peak;
  f.hfu = totals.hardware / totals.peak;
  f.days = f.seconds / (24 * seconds_per_hour);
  f.score_minutes = f.seconds / 60;
  f.goodput = f.training_seconds / f.seconds;
  f.co2_tonnes = f.kilowatt_hours * job.grid_intensity / 1e6;
  f.batch_price /= f.samples;
  if (f.evaluations > 0) f.evaluation_each_seconds = f.evaluation_seconds / f.evaluations;
  f.petaflop_per_second_days = petaflop_per_second_days(totals.model);
}

/// Figures of a job, the expense of its longest stretch, and each stretch for sampling.
struct PaidJob {
  RunFigures figures;
  Expense expense;
  std::vector<SampledStretch> stretches;
};

/// Parts of a stretch that are sampled; `phases` are the job's phases in it.
SampledStretch stretch_of(const Job& job, const Totals& stretch, std::span<const JobPhase> phases,
                          const Expense& expense) {
  SampledStretch sampled{.steps = {},
                         .evaluation_seconds = stretch.figures.evaluation_seconds,
                         .start_up_seconds = stretch.figures.start_up_seconds,
                         .interruptions = expense.interruptions};
  for (const JobPhase& phase : phases) {
    const double steps = phase.samples / phase.step.plan.global_batch();
    sampled.steps.push_back({&phase.step.responses, phase.samples / phase.step.samples_per_second(),
                             steps * read_time(job, phase.step)});
  }
  return sampled;
}

/// Figures of a job whose phases have these step times.
PaidJob figures_at(const Job& job, const std::vector<SampleWork>& works, StepTime step_time) {
  RunFigures paid;
  PaidJob result;
  double longest = 0;
  Totals all;
  for (std::size_t first = 0, next = 0; first < job.phases.size(); first = next) {
    const SimulatedStep& step = job.phases[first].step;
    Totals stretch;
    if (first == 0) stretch.figures.start_up_seconds = job.start_up.base();
    for (; next < job.phases.size() &&
           job.phases[next].step.plan.accelerators() == step.plan.accelerators();
         ++next)
      for (Totals* sum : {&stretch, &all})
        add_phase(*sum, job, job.phases[next], works[next], step_time(job.phases[next].step));
    Expense its = add_expense(paid, stretch, job.phases[next - 1].step, job);
    result.stretches.push_back(
        stretch_of(job, stretch, std::span(job.phases).subspan(first, next - first), its));
    if (stretch.accelerator_time.base() <= longest) continue;
    longest = stretch.accelerator_time.base();
    result.expense = std::move(its);
  }
  RunFigures f = all.figures;
  f.start_up_seconds = job.start_up.base();
  f.memory_gigabytes = fullest_stage(job).total().base() / 1e9;
  for (const auto sum :
       {&RunFigures::seconds, &RunFigures::lost_seconds, &RunFigures::accelerator_hours,
        &RunFigures::kilowatt_hours, &RunFigures::usd})
    f.*sum = paid.*sum;
  add_rates(f, all, job);
  result.figures = f;
  return result;
}

Basis weakest_basis(const Job& job) {
  Basis weakest = Basis::Measured;
  for (const JobPhase& phase : job.phases)
    weakest = std::max(weakest, phase.step.times.cost().basis);
  return weakest;
}

}  // namespace

Bytes checkpoint_size(const Model& model, const Plan& plan, const StateBytes& state) {
  return Bytes{trainable_parameters(model) * checkpoint_bytes(state, plan)};
}

ExpenseOptions with_checkpoint_times(ExpenseOptions options, const SimulatedStep& step) {
  if (!options.storage.is_known()) return options;
  const PlacedJob placed = placed_job(step.plan, step.cluster);
  options.checkpoint_times = checkpoint_times(
      options.storage, {.bytes = checkpoint_size(step.model, step.plan, step.memory_profile.state),
                        .accelerators = placed.accelerators,
                        .nodes = step.cluster.nodes_of(placed),
                        .host_link = step.cluster.accelerator.host_link.value});
  if (!options.checkpoint) options.checkpoint = options.checkpoint_times->blocks;
  return options;
}

RunEstimate estimate(const Job& stated) {
  Job job = stated;
  job.expenses = with_checkpoint_times(job.expenses, main_phase(job).step);
  std::vector<SampleWork> works;
  for (const JobPhase& phase : job.phases)
    works.push_back(sample_work(phase.step.model, phase.step.plan));
  const StepTime low = [](const SimulatedStep& s) { return s.seconds.low; };
  const StepTime mean = [](const SimulatedStep& s) { return s.times.total.base(); };
  PaidJob paid = figures_at(job, works, mean);
  const double fast_seconds = figures_at(job, works, low).figures.seconds;
  const SimulatedStep& main = main_phase(job).step;
  RunEstimate all{.plan = main.plan,
                  .step = mean_step(job),
                  .memory = fullest_stage(job),
                  .expense = std::move(paid.expense),
                  .overrun = job.overrun.with(main.rests_on_own_steps),
                  .step_basis = weakest_basis(job),
                  .basis = weakest_basis(job),
                  .expected = paid.figures,
                  .unknown = {&RunFigures::score_scaling_seconds},
                  .samples = sampled_run(paid.stretches, paid.figures.seconds,
                                         job.phases.front().step.cluster, job.expenses, job.seed),
                  .fastest = fast_seconds / paid.figures.seconds,
                  .is_one_step = job.is_one_step,
                  .sample_work = tofn::sample_work(main.model, main.plan),
                  .peak = main.peak(),
                  .job = std::make_shared<const Job>(job)};
  if (!job.critical_batch) all.unknown.push_back(&RunFigures::batch_price);
  if (paid.figures.tokens == 0)  // its samples are no texts
    all.unknown.insert(all.unknown.end(),
                       {&RunFigures::tokens, &RunFigures::tokens_per_second,
                        &RunFigures::tokens_per_second_each, &RunFigures::mfu_6n});
  if (!all.overrun.is_none())
    all.samples = with_overrun(std::move(all.samples), all.overrun, all.fastest, job.seed,
                               job.start_up.base() / paid.figures.seconds);
  all.time = spread_of(all.samples, &RunSample::time);
  return all;
}

}  // namespace training
}  // namespace tofn
