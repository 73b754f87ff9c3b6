#include <cmath>
#include <memory>
#include <utility>

#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace training {
namespace {

Basis basis_of(const Run& run, const RunBreakdown& terms) {
  return run.benchmark ? terms.total().basis : terms.step.cost().basis;
}

/// Splits a run where its number of accelerators changes, and pays each part.
std::vector<RunSegment> segments_of(const Run& run) {
  std::vector<RunSegment> segments;
  const std::span<const RunStretch> all(run.stretches);
  for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
    const StepSource& step = *all[first].step;
    const int accelerators = step.job().accelerators;
    while (next < all.size() && all[next].step->job().accelerators == accelerators) ++next;
    RunSegment segment{.stretches = all.subspan(first, next - first),
                       .start_up = first == 0 ? run.start_up.value : 0};
    segment.expected = evaluate(run, segment.stretches, segment.start_up, run.centre());
    segment.expense =
        expense_of(step.cluster(), step.job(), activity_of(segment.stretches, segment.expected),
                   basis_of(run, segment.expected), run.expenses);
    segments.push_back(std::move(segment));
  }
  return segments;
}

/// Sets the times of a run and what they cost.
void add_segments(RunFigures& f, const Run& run, std::span<const RunSegment> segments) {
  for (const RunSegment& segment : segments) {
    const RunBreakdown& terms = segment.expected;
    f.steps += terms.steps;
    f.samples += terms.samples;
    f.training_seconds += terms.training.time.base();
    f.evaluations += terms.evaluations;
    f.evaluation_seconds += terms.evaluation.time.base();
    f.input_seconds += terms.input.time.base();
    f.start_up_seconds += terms.fixed.time.base();
    f.score_scaling_seconds += terms.score_scaling.time.base();
    f.seconds += segment.expense.run.expected.base();
    f.lost_seconds += (segment.expense.run.expected - terms.clocked().time).base();
    f.accelerator_hours += segment.expense.accelerator_hours;
    f.kilowatt_hours += kilowatt_hours(segment.expense.energy.total());
    f.usd += segment.expense.usd.value_or(0);
    f.score_minutes += terms.total().time.base() / 60;
  }
  if (!run.benchmark) f.score_minutes = f.seconds / 60;
  if (f.evaluations > 0) f.evaluation_each_seconds = f.evaluation_seconds / f.evaluations;
  f.days = f.seconds / (24 * seconds_per_hour);
  f.goodput = f.training_seconds / f.seconds;
  f.co2_tonnes = f.kilowatt_hours * run.grid_intensity / 1e6;
}

/// Sets the rates of the steps, from the work and the time of the run's stretches.
void add_rates(RunFigures& f, const Run& run) {
  double extra_samples = 0;
  Flops six_n, model, hardware, peak;  // `peak`: at the accelerators' peak rate
  Seconds stepping, accelerator_time;  // of steps
  for (const RunStretch& stretch : run.stretches) {
    const StepSource& step = *stretch.step;
    const SampleWork work = step.sample_work();
    const double tokens = stretch.samples * work.sequence_length;
    const Seconds time = stretch.time();
    const int accelerators = step.job().accelerators;
    f.tokens += tokens;
    six_n += Flops{work.parameter_flops * tokens};
    model += stretch.samples * work.model;
    hardware += stretch.samples * work.hardware;
    peak += step.peak() * time * accelerators;
    stepping += time;
    accelerator_time += accelerators * time;
    if (run.critical_batch) {
      const SampleMeasure measure{.batch = step.samples(), .sequence_length = work.sequence_length};
      extra_samples +=
          stretch.samples * batch_price(measure.batch, samples_of(*run.critical_batch, measure));
    }
  }
  f.step_seconds = stepping.base() / f.steps;
  f.samples_per_second = f.samples / stepping.base();
  f.tokens_per_second = f.tokens / stepping.base();
  f.tokens_per_second_each = f.tokens / accelerator_time.base();
  f.mfu_6n = six_n / peak;
  f.mfu = model / peak;
  f.hfu = hardware / peak;
  f.batch_price = extra_samples / f.samples;
  f.petaflop_per_second_days = petaflop_per_second_days(model);
}

/// The run with the times of its checkpoints, if their storage is stated.
Run with_storage(Run run) {
  if (run.expenses.storage.is_known())
    if (const SimulatedStep* step = main_stretch(run).step->simulated())
      run.expenses = with_checkpoint_times(run.expenses, *step);
  return run;
}

RunFigures figures_of(const Run& run, std::span<const RunSegment> segments) {
  RunFigures f;
  add_segments(f, run, segments);
  add_rates(f, run);
  if (const SimulatedStep* step = fullest_step(run))
    f.memory_gigabytes = step->memory[step->tightest()].total().base() / 1e9;
  return f;
}

/// Figures that neither the run nor its steps give.
std::vector<double RunFigures::*> unknown_of(const Run& run, const RunFigures& f) {
  std::vector<double RunFigures::*> unknown{run.benchmark ? &RunFigures::input_seconds
                                                          : &RunFigures::score_scaling_seconds};
  const auto add = [&](bool is_unknown, std::initializer_list<double RunFigures::*> figures) {
    if (is_unknown) unknown.insert(unknown.end(), figures);
  };
  add(f.memory_gigabytes == 0,
      {&RunFigures::hfu, &RunFigures::mfu_6n, &RunFigures::memory_gigabytes});
  add(f.tokens == 0,  // its samples are no texts
      {&RunFigures::tokens, &RunFigures::tokens_per_second, &RunFigures::tokens_per_second_each,
       &RunFigures::mfu_6n});
  add(!run.critical_batch, {&RunFigures::batch_price});
  add(run.benchmark && run.is_one_step,
      {&RunFigures::score_minutes, &RunFigures::score_scaling_seconds, &RunFigures::evaluations,
       &RunFigures::evaluation_seconds, &RunFigures::evaluation_each_seconds,
       &RunFigures::start_up_seconds});
  return unknown;
}

/// Figures of a benchmark's run that rest on other facts than its time does.
std::vector<RunEstimate::StatedBasis> bases_of(const Run& run, const RunBreakdown& terms) {
  if (!run.benchmark) return {};
  const Basis samples = run.benchmark->parameters.samples.basis;
  return {{&RunFigures::samples, samples},
          {&RunFigures::petaflop_per_second_days, samples},
          {&RunFigures::training_seconds, terms.training.basis},
          {&RunFigures::evaluation_seconds, terms.evaluation.basis},
          {&RunFigures::evaluation_each_seconds, terms.evaluation_each.basis},
          {&RunFigures::start_up_seconds, terms.fixed.basis},
          {&RunFigures::score_scaling_seconds, terms.score_scaling.basis}};
}

/// Step at the fast end of its 90 % interval.
StepTimes fast_times(const StepSource& step) {
  const SimulatedStep* simulated = step.simulated();
  if (simulated == nullptr) return step.times();
  return scaled(step.times(), simulated->seconds.low / step.times().total.base());
}

/// Time of the run with fast steps, over the expected one.
double fastest(const Run& run, std::span<const RunSegment> segments, double expected_seconds) {
  double seconds = 0;
  for (const RunSegment& segment : segments) {
    const RunBreakdown fast = evaluate(run, segment.stretches, segment.start_up, fast_times);
    seconds += interrupted(fast.clocked().time, segment.expense.interruptions,
                           run.expenses.checkpoint_every)
                   .expected.base();
  }
  return seconds / expected_seconds;
}

/// The segment that takes most accelerator time.
const RunSegment& longest(std::span<const RunSegment> segments) {
  const auto time = [](const RunSegment& segment) {
    return segment.stretches.front().step->job().accelerators * segment.expected.stepping().base();
  };
  return *std::ranges::max_element(segments,
                                   [&](const auto& a, const auto& b) { return time(a) < time(b); });
}

/// Activity of steps, with that of evaluations, start-up and waits.
Activity with_other_times(const Activity& of_steps, const RunBreakdown& terms) {
  Activity activity = ((terms.training.time + terms.evaluation.time) / terms.stepping()) * of_steps;
  activity.idle += terms.fixed.time + terms.input.time;
  return activity;
}

/// Figures with the overrun, if one is sampled.
RunFigures typical_of(const RunEstimate& run) {
  RunFigures typical = run.expected;
  if (!run.overrun.is_none())
    for (const RunFigure& figure : run_figures)
      if (figure.sampled == &RunSample::time || figure.sampled == &RunSample::energy)
        typical.*figure.value = run.typical(figure).value_or(0);
  return typical;
}

}  // namespace

Activity activity_of(std::span<const RunStretch> stretches, const RunBreakdown& terms) {
  Activity of_steps;
  for (const RunStretch& stretch : stretches)
    of_steps = of_steps + stretch.steps() * stretch.step->activity();
  return with_other_times(of_steps, terms);
}

Activity activity_of(const RunBreakdown& terms) {
  return with_other_times(terms.steps * activity_of(terms.step), terms);
}

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

RunFigures expected_figures(const Run& stated) {
  const Run run = with_storage(stated);
  return figures_of(run, segments_of(run));
}

RunEstimate estimate(const Run& stated) {
  Run run = with_storage(stated);
  const StepSource& step = *main_stretch(run).step;
  const std::vector<RunSegment> segments = segments_of(run);
  const RunSegment& main = longest(segments);
  RunEstimate all{.plan = step.plan(),
                  .step = mean_step(run.stretches),
                  .expense = main.expense,
                  .expected = figures_of(run, segments),
                  .bases = bases_of(run, main.expected),
                  .is_scored = run.benchmark.has_value(),
                  .is_one_step = run.is_one_step,
                  .sample_work = step.sample_work(),
                  .peak = step.peak()};
  const SimulatedStep* simulated = step.simulated();
  all.overrun = run.overrun.with(simulated != nullptr && simulated->rests_on_own_steps);
  all.step_basis = all.step.cost().basis;
  all.basis = run.benchmark ? main.expected.total().basis : all.step_basis;
  if (const SimulatedStep* fullest = fullest_step(run))
    all.memory = fullest->memory[fullest->tightest()];
  const RunFigures& f = all.expected;
  all.unknown = unknown_of(run, f);
  all.fastest = fastest(run, segments, f.seconds);
  SampledRun sampled = sampled_run(run, segments, f);
  all.samples = std::move(sampled.samples);
  all.step_part_seconds = std::move(sampled.step_part_seconds);
  if (!all.overrun.is_none())
    all.samples = with_overrun(std::move(all.samples), all.overrun, all.fastest, run.seed,
                               f.start_up_seconds / f.seconds);
  all.time = spread_of(all.samples, &RunSample::time);
  all.typical_figures = typical_of(all);
  all.run = std::make_shared<const Run>(std::move(run));
  return all;
}

}  // namespace training
}  // namespace tofn
