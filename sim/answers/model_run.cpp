#include "sim/answers/model_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/idle_choices.hpp"
#include "sim/answers/merged_expenses.hpp"
#include "sim/answers/phase_plans.hpp"
#include "sim/answers/run_batch.hpp"
#include "sim/answers/step_answer.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace answers {
namespace {

int accelerators_of(const RunPhase& phase, int accelerators) {
  return std::min(accelerators, phase.most_accelerators.value_or(accelerators));
}

/// True if a plan chosen for one phase also suits the other.
bool are_alike(const RunPhase& a, const RunPhase& b, int accelerators) {
  return a.model.sequence_length == b.model.sequence_length &&
         accelerators_of(a, accelerators) == accelerators_of(b, accelerators) &&
         a.plan.stated == b.plan.stated && a.plan.name == b.plan.name;
}

/// Returns the batch with the most samples among the phases that share the plan of phase `first`.
double main_batch(const StatedRun& run, std::size_t first, int accelerators) {
  const BatchStretch* longest = nullptr;
  for (std::size_t i = first; i < run.phases.size(); ++i) {
    if (!are_alike(run.phases[first], run.phases[i], accelerators)) break;
    for (const BatchStretch& each : run.phases[i].stretches)
      if (longest == nullptr || each.samples > longest->samples) longest = &each;
  }
  return longest->batch;
}

void add_phase(const ModelRun& request, const StatedRun& run, std::size_t index, PhasePlans& plans,
               RunPoint& point, Run& made) {
  const RunPhase& phase = run.phases[index];
  for (const BatchStretch& stretch : phase.stretches) {
    const SimulatedStep step =
        simulate_step(phase.model, plans.at(stretch.batch), request.cluster, request.stack);
    if (point.fits && !fits(step)) {
      point.fits = false;
      point.way_out = nearest_plan_that_fits(step);
      if (run.phases.size() > 1)
        point.way_out_of = fmt::format("phase {} on {} accelerators", phase_name(run, index),
                                       step.plan.accelerators());
    }
    add_new(point.substitutions, step.substitutions);
    add_new(point.substitutions, other_micro_batch(phase.plan, step.plan));
    add_new(point.substitutions, idle_choices(phase.plan, step.plan));
    add_new(point.substitutions, idle_switches(phase.plan, step, request.stack));
    made.stretches.push_back(stretch_of(run, step, stretch.samples, index, request.stack));
    made.stretches.back().phase = phase_name(run, index);
  }
  if (const auto& anew = plans.split_anew(); !anew.empty())
    add_new(
        point.substitutions,
        {fmt::format("{}: the stated plan does not split batch{} {:g}, so others are chosen",
                     phase_name(run, index), anew.size() == 1 ? "" : "es", fmt::join(anew, ", "))});
}

std::string place_of(const StatedRun& run, std::size_t index) {
  return run.phases.size() == 1 ? "" : phase_name(run, index) + ": ";
}

}  // namespace

std::vector<RunEstimate> phase_estimates(const RunPoint& point) {
  std::vector<RunEstimate> phases;
  if (point.estimate)
    for (const Run& phase : by_phase(*point.estimate->run)) phases.push_back(estimate(phase));
  return phases;
}

namespace {

/// A batch with the plan that it was chosen with.
struct BatchChoice {
  StatedRun run;
  std::optional<Plan> plan{};
  int tried = 0;
};

/// Chooses the batch that reaches the same loss soonest: larger ones keep pipelines full and hide
/// gradients, but take more samples. Candidates are even batches near the doublings up to the
/// critical batch, and beyond it if no smaller one has a plan that fits. If the number of
/// accelerators is no power of two, one batch between each two doublings joins them.
BatchChoice chosen_batch(const ModelRun& request, int accelerators) {
  const RunPhase& phase = request.run.phases.front();
  const double typical = phase.last_batch();
  constexpr double most_growth = 1024;
  const double most =
      request.run.is_one_step ? typical : critical_samples(request.run).value_or(typical);
  const auto near = [&](double target) {
    const int all = accelerators_of(phase, accelerators);
    std::vector<double> batches = batches_near(target, phase.plan, all);
    if (const auto split = split_batch(target, phase.plan, all);
        split && std::ranges::find(batches, *split) == batches.end())
      batches.push_back(*split);
    return batches;
  };
  BatchChoice best{.run = at_batch(request.run, near(typical).front())};
  PlanSteps steps(phase.model, request.cluster, request.stack);
  Seconds soonest = nothing_to_beat;
  for (double target = typical; target <= most || (!best.plan && target <= most_growth * typical);
       target *= 2)
    for (const double batch : near(target)) try {
        const StatedRun run = to_same_loss(request.run, batch);
        const double count = run.samples() / batch;
        const BestPlan plan = phase_plan(request, phase, accelerators_of(phase, accelerators),
                                         batch, steps, soonest / count);
        best.tried += plan.tried;
        if (!plan.fits || plan.time * count >= soonest) continue;
        soonest = plan.time * count;
        best.run = request.holds_loss ? run : at_batch(request.run, batch);
        best.plan = plan.plan;
      } catch (const InputError&) {
        continue;  // no plan splits it
      }
  return best;
}

/// Predicts the run as requested, except that it may have another batch.
RunPoint point_at(const RunRequest& request, const ModelRun& of, const StatedRun& run,
                  int accelerators, std::optional<Plan> held) {
  RunPoint point{.accelerators = accelerators};
  Run made{.stretches = {},
           .start_up = {.value = run.is_one_step ? 0 : run.start_up.base()},
           .expenses = merged_expenses(request.expenses, run.interruptions),
           .grid_intensity = request.grid_intensity,
           .critical_batch = critical_batch(run),
           .overrun = run.is_one_step ? no_overrun : of.overrun,
           .is_one_step = run.is_one_step,
           .seed = request.seed};
  for (std::size_t i = 0; i < run.phases.size(); ++i) try {
      const RunPhase& phase = run.phases[i];
      if (i > 0 && !are_alike(run.phases[i - 1], phase, accelerators)) held.reset();
      PhasePlans plans(of, phase, accelerators_of(phase, accelerators), held);
      if (!held) held = plans.at(main_batch(run, i, accelerators));
      add_phase(of, run, i, plans, point, made);
      point.plans_tried += plans.tried();
    } catch (const InputError& error) {
      throw InputError(place_of(run, i) + error.what());
    }
  point.estimate = estimate(made);
  if (!run.is_one_step)
    add_new(point.substitutions, idle_choices(request.expenses, point.estimate->expense));
  return point;
}

/// Simulated days to the loss of the default batch; absent if the run already trains to that loss.
std::optional<double> days_to_default_loss(const StatedRun& run, const RunEstimate& estimate) {
  const double batch = estimate.run->stretches.front().step->plan().global_batch();
  const double growth = to_same_loss(run, batch).samples() / estimate.expected.samples;
  if (growth < 1 + 1e-9) return {};
  Run longer = *estimate.run;
  for (RunStretch& stretch : longer.stretches) stretch.samples *= growth;
  return expected_figures(longer).days;
}

/// Share of a run's time lost above which a warning advises to act (assumed).
constexpr double most_lost = 0.5;

/// Seconds that checkpoints would take in a run without failures; part of the lost time.
double checkpoint_seconds(const RunFigures& f, const Expense& expense) {
  if (!expense.run.checkpoint_every) return 0;
  const double undisturbed = f.seconds - f.lost_seconds;
  return undisturbed * (expense.interruptions.checkpoint / *expense.run.checkpoint_every);
}

/// Warns if most time is lost or may be, and names the larger cause: checkpoints or failures.
void add_loss_warning(RunPoint& point) {
  const RunFigures& f = point.estimate->expected;
  const bool has_end =
      upper_end(point.estimate->interval(point.estimate->time_figure())).has_value();
  const bool is_most = f.lost_seconds > most_lost * f.seconds;
  if (!is_most && has_end) return;
  const Expense& expense = point.estimate->expense;
  const Interruptions& by = expense.interruptions;
  const bool is_of_checkpoints = checkpoint_seconds(f, expense) > f.lost_seconds / 2;
  const std::string cause =
      is_of_checkpoints
          ? fmt::format(
                "a checkpoint every {} holds the job up for {}; days rest on that "
                "(--checkpoint-every, --checkpoint-cost)",
                to_text(*expense.run.checkpoint_every, 2), to_text(by.checkpoint, 2))
          : fmt::format(
                "something fails every {} and restarts all {} accelerators, {} each time; "
                "days rest on that (--failure-every, --restart, --checkpoint-every)",
                to_text(by.mean_between, 2), point.accelerators, to_text(by.restart, 2));
  point.warnings.push_back(fmt::format("{:.1f} % of the time is lost{}: {}",
                                       100 * f.lost_seconds / f.seconds,
                                       is_most ? "" : ", and the range has no upper end", cause));
}

/// Plan of the measured step, if this is its size and its batch.
std::optional<Plan> observed_at(const ModelRun& request, int accelerators, const StatedRun& run) {
  const auto& plan = request.observed_plan;
  const bool is_that = plan && plan->accelerators() == accelerators &&
                       plan->global_batch() == run.phases.front().last_batch();
  return is_that ? plan : std::nullopt;
}

}  // namespace

const RunPhase& measured_phase(const StatedRun& run, int accelerators, double batch) {
  const RunPhase* best = nullptr;
  const auto rank = [&](const RunPhase& phase) {
    return std::pair(phase.last_batch() == batch, phase.samples() * phase.model.sequence_length);
  };
  for (const RunPhase& phase : run.phases)
    if (accelerators_of(phase, accelerators) == accelerators &&
        (!best || rank(phase) > rank(*best)))
      best = &phase;
  if (!best)
    throw InputError(
        fmt::format("no phase of {} runs on as many as {} accelerators", run.name, accelerators));
  return *best;
}

RunPoint point_of(const RunRequest& request, const ModelRun& of, int accelerators) {
  RunPoint point;
  if (of.run.has_default_batch) {
    const BatchChoice choice = chosen_batch(of, accelerators);
    const auto observed = observed_at(of, accelerators, choice.run);
    point = point_at(request, of, choice.run, accelerators, observed ? observed : choice.plan);
    point.plans_tried += choice.tried;
    point.days_to_default_loss = days_to_default_loss(of.run, *point.estimate);
  } else {
    point = point_at(request, of, of.run, accelerators, observed_at(of, accelerators, of.run));
  }
  if (const auto words = above_peak_words(point.estimate->expected.mfu); !words.empty())
    point.warnings.push_back(words);
  if (!of.run.is_one_step) add_loss_warning(point);
  point.assumed = point.estimate->expense.assumed;
  return point;
}

std::vector<std::string> advice_on(const ModelRun& request, const RunPoint& point) {
  constexpr double much = 1.1;
  const int accelerators = point.accelerators;
  const RunPhase& phase = request.run.phases.front();
  const bool is_free = !request.run.has_default_batch && request.run.phases.size() == 1 &&
                       phase.stretches.size() == 1 && !phase.plan.is_whole &&
                       !phase.plan.micro_batch && !phase.plan.gradient_accumulation;
  if (!is_free) return {};
  const double batch = phase.last_batch();
  PlanSteps steps(phase.model, request.cluster, request.stack);
  double most = much;
  std::vector<std::string> found;
  for (const double near : even_batches(batch, accelerators)) try {
      if (near == batch) continue;
      const double same_pace = point.estimate->expected.step_seconds / batch * near;
      const BestPlan best =
          phase_plan(request, phase, accelerators, near, steps, Seconds{same_pace / most});
      const double longer = same_pace / best.time.base();
      if (!best.fits || longer < most) continue;
      most = longer;
      found = {
          fmt::format("batch {:g} splits badly on {}: with {:g} a sample takes {:.0f} % less "
                      "time",
                      batch, accelerators, near, 100 * (1 - 1 / longer))};
    } catch (const InputError&) {
      continue;  // no plan splits it
    }
  return found;
}

}  // namespace answers
}  // namespace tofn
