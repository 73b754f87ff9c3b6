#include "sim/answers/rl_estimate.hpp"

#include "sim/simulation/step_interval.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Time before the first period: the start-up, and the rollout that fills the buffer of a job whose
/// responses are steps off.
Seconds time_before_steps(const RlRequest& request, const RlStep& step) {
  if (request.is_one_step()) return {};
  return request.start_up + (step.placement.steps_off > 0 ? step.generation() : Seconds{});
}

RunFigures rl_figures_of_run(const RlRequest& request, int accelerators, const RlStep& step) {
  RunFigures f;
  f.step_seconds = step.period().base();
  f.steps = request.rl.steps.value_or(1);
  f.samples = f.steps * request.rl.responses();
  f.tokens = f.samples * request.rl.sample_tokens();
  f.training_seconds = f.steps * f.step_seconds;
  f.samples_per_second = f.samples / f.training_seconds;
  f.tokens_per_second = f.tokens / f.training_seconds;
  f.tokens_per_second_each = f.tokens_per_second / accelerators;
  f.start_up_seconds = time_before_steps(request, step).base();
  return f;
}

}  // namespace

RunEstimate rl_estimate(const RlRequest& request, int accelerators, const RlSplit& split,
                        const SimulatedStep& training) {
  const ExpenseOptions expenses = with_checkpoint_times(request.expenses, training);
  RunFigures f = rl_figures_of_run(request, accelerators, split.step);
  Activity activity = f.steps * split.activity;
  activity.idle += Seconds{f.start_up_seconds};
  const Expense expense =
      expense_of(request.cluster, accelerators, activity, Basis::Assumed, expenses);
  set_expense(f, expense, request.grid_intensity);
  f.memory_gigabytes = training.memory[training.tightest()].total().base() / 1e9;
  const StepResponses responses = StepResponses::of_measured(rl_step_deviation);
  const Overrun overrun = request.is_one_step() ? no_overrun : request.overrun.with(true);
  RunEstimate all;
  all.plan = split.plan;
  all.expense = expense;
  all.overrun = overrun;
  all.is_one_step = request.is_one_step();
  all.expected = f;
  all.unknown = {&RunFigures::mfu_6n,
                 &RunFigures::mfu,
                 &RunFigures::hfu,
                 &RunFigures::evaluation_seconds,
                 &RunFigures::evaluations,
                 &RunFigures::evaluation_each_seconds,
                 &RunFigures::input_seconds,
                 &RunFigures::score_minutes,
                 &RunFigures::batch_price,
                 &RunFigures::petaflop_per_second_days,
                 &RunFigures::score_scaling_seconds};
  all.samples = sampled_run({{.steps = {{&responses, f.training_seconds}},
                              .start_up_seconds = f.start_up_seconds,
                              .interruptions = expense.interruptions}},
                            f.seconds, request.cluster, expenses);
  if (!overrun.is_none()) all.samples = with_overrun(std::move(all.samples), overrun, 1);
  all.time = spread_of(all.samples, &RunSample::time);
  return all;
}

}  // namespace answers
}  // namespace tofn
