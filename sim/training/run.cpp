#include "sim/training/run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tofn {
inline namespace training {

RunModel::RunModel(const RunDescription& description, const RunParameters& parameters)
    : description_(description),
      parameters_(parameters),
      step_(step_source(*description_.workload, *description_.cluster, description_.plan,
                        description_.settings, parameters_.compute)),
      interval_(description.settings.evaluation_interval.value_or(
          description.workload->evaluation.interval_at(description.plan.global_batch()))) {}

RunModel::EvaluationPasses RunModel::evaluation_passes(const StepPerturbation& by) const {
  const Evaluation& evaluation = description_.workload->evaluation;
  if (evaluation.mode == EvaluationMode::Offline) return {};
  const double replicas = description_.plan.data_parallel_size;
  const double local = std::ceil(evaluation.samples.value / replicas);
  const double typical = description_.workload->simulated ? description_.plan.micro_batch : local;
  const double batch = std::min(local, evaluation.batch ? evaluation.batch->value : typical);
  const double count = std::ceil(local / batch);
  return {.count = count, .forward = step_->forward_pass(batch, count, by)};
}

Seconds RunModel::evaluation_time(const StepPerturbation& by) const {
  const EvaluationPasses passes = evaluation_passes(by);
  return passes.count * parameters_.evaluation.of(passes.forward);
}

/// Number of evaluations of a run that ends after `samples`: none until the skipped ones are over,
/// then one per interval, the last of which finds the target met.
double RunModel::evaluation_count(double samples) const {
  const Evaluation& evaluation = description_.workload->evaluation;
  if (evaluation.mode == EvaluationMode::Offline) return 0;
  const double skipped =
      description_.settings.skipped_evaluations.value_or(evaluation.skipped.value);
  return std::max(1.0, samples / interval_ - skipped);
}

RunBreakdown RunModel::evaluate(const RunDraw& draw) const {
  RunBreakdown run;
  run.step = step_->times(draw.step);
  run.samples = draw.samples;
  run.steps = draw.samples / description_.plan.global_batch();
  run.evaluations = evaluation_count(draw.samples);
  const Seconds evaluation =
      draw.evaluation * parameters_.evaluation_factor.value * evaluation_time(draw.step);
  if (run.evaluations > 0) run.evaluation_each = {evaluation, parameters_.evaluation_factor.basis};
  const Cost step = run.step.cost();
  // A negative time is no wait: the clock missed steps, and the training time is shorter by them.
  const Seconds beside =
      parameters_.fixed_is_in_steps ? draw.fixed * step.time : Seconds{draw.fixed};
  const Seconds training = run.steps * step.time + std::min(beside, Seconds{});
  run.training = {std::max(training, Seconds{}), weakest(step.basis, parameters_.samples.basis)};
  run.evaluation = run.evaluations * run.evaluation_each;
  run.fixed = {std::max(beside, Seconds{}), parameters_.fixed.basis};
  run.score_scaling = (draw.score_factor - 1) * run.total();
  return run;
}

RunBreakdown RunModel::expected() const {
  return evaluate({.step = {},
                   .evaluation = 1,
                   .fixed = parameters_.fixed.value,
                   .samples = parameters_.samples.expected,
                   .score_factor = expected_score_factor()});
}

/// Expected score factor. MLPerf multiplies the score of runs that converged faster than the
/// reference mean by reference/runs (mlcommons/logging, rcp_checker). The expectation of max(1,
/// reference/mean) for a mean that scatters normally about the reference is 1 + deviation/sqrt(2
/// pi), to first order.
double RunModel::expected_score_factor() const {
  if (parameters_.samples.expected == 0) return 1;
  const double scored = std::max(1, description_.runs - 2);
  const double deviation =
      parameters_.samples.run_deviation / parameters_.samples.expected / std::sqrt(scored);
  return 1 + deviation / std::sqrt(2 * std::numbers::pi);
}

}  // namespace training
}  // namespace tofn
