#include "sim/answers/sensitivity_answer.hpp"

#include "sim/answers/elasticities.hpp"
#include "sim/answers/next_measurement.hpp"

namespace tofn {
inline namespace answers {
namespace {

Outcome outcome_of(const Run& run) {
  const RunFigures figures = expected_figures(run);
  const double seconds = run.benchmark ? figures.score_minutes * 60 : figures.seconds;
  return {seconds, figures.usd, figures.kilowatt_hours};
}

/// Run of these stretches and plans with other inputs.
Run with(Run run, const PredictionInputs& inputs) {
  run.expenses = inputs.expenses;
  if (!run.benchmark) run.start_up.value = inputs.start_up.base();
  for (RunStretch& stretch : run.stretches)
    stretch.step = stretch.step->on(inputs.cluster, inputs.stack);
  return run;
}

}  // namespace

Sensitivity sensitivity_of(const RunEstimate& estimate, const KernelProfile& stack) {
  const Run& run = *estimate.run;
  const PredictionInputs inputs{
      .cluster = estimate.cluster(),
      .stack = stack,
      .expenses = run.expenses,
      .start_up = run.benchmark ? Seconds{} : Seconds{run.start_up.value}};
  TimeUncertainties uncertainties = uncertainties_of(estimate, stack);
  return {.expected = outcome_of(run),
          .elasticities = elasticities(
              inputs, [&](const PredictionInputs& by) { return outcome_of(with(run, by)); }),
          .uncertainties = std::move(uncertainties.all),
          .deviation = uncertainties.deviation,
          .next = narrowing(std::move(uncertainties.next), uncertainties.deviation)};
}

}  // namespace answers
}  // namespace tofn
