#include "sim/answers/sensitivity_answer.hpp"

#include "sim/answers/elasticities.hpp"
#include "sim/answers/time_uncertainties.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/step_activity.hpp"

namespace tofn {
inline namespace answers {
namespace {

Outcome outcome_of(const RunFigures& figures) {
  return {figures.seconds, figures.usd, figures.kilowatt_hours};
}

/// Outcome of the same phases and plans with other inputs.
Outcome outcome_of(Job job, const PredictionInputs& inputs) {
  job.expenses = inputs.expenses;
  job.start_up = inputs.start_up;
  for (JobPhase& phase : job.phases)
    phase.step = simulate_step(phase.step.model, phase.step.plan, inputs.cluster, inputs.stack,
                               phase.step.heterogeneous);
  return outcome_of(estimate(job).expected);
}

/// Outcome of the run, or of a step if the workload has no target.
Outcome outcome_of(const RunModel& model, const ExpenseOptions& options) {
  const RunBreakdown run = model.expected();
  const RunDescription& request = model.description();
  const bool trains = run.samples > 0;
  const Expense expense =
      expense_of(*request.cluster, placed_job(request.plan, *request.cluster),
                 trains ? activity_of(run) : activity_of(run.step), Basis::Assumed, options);
  return {(trains ? run.total().time : run.step.total).base(), expense.usd.value_or(0),
          kilowatt_hours(expense.energy.total())};
}

Sensitivity with(std::vector<Elasticity> found, TimeUncertainties uncertainties,
                 const Outcome& expected) {
  return {.expected = expected,
          .elasticities = std::move(found),
          .uncertainties = std::move(uncertainties.all),
          .deviation = uncertainties.deviation,
          .next = std::move(uncertainties.next)};
}

}  // namespace

Sensitivity job_sensitivity(const RunEstimate& job, const KernelProfile& profile) {
  const PredictionInputs inputs{.cluster = main_phase(*job.job).step.cluster,
                                .stack = profile,
                                .expenses = job.job->expenses,
                                .start_up = job.job->start_up};
  return with(
      elasticities(inputs,
                   [&](const PredictionInputs& changed) { return outcome_of(*job.job, changed); }),
      job_uncertainties(job, profile), outcome_of(job.expected));
}

Sensitivity sensitivity_answer(const RunQuestion& asked, const RunEstimate& estimate) {
  if (asked.job != nullptr) return job_sensitivity(estimate, asked.job->profile);
  const RunModel& model = estimate.benchmark->model;
  const RunDescription& run = model.description();
  const PredictionInputs inputs{.cluster = *run.cluster, .stack = {}, .expenses = asked.expenses};
  const auto changed_outcome = [&](const PredictionInputs& changed) {
    RunDescription other = run;
    other.cluster = &changed.cluster;
    return outcome_of(RunModel(other, model.parameters()), changed.expenses);
  };
  return with(elasticities(inputs, changed_outcome), run_uncertainties(model),
              outcome_of(model, asked.expenses));
}

}  // namespace answers
}  // namespace tofn
