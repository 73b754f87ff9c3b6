#include "sim/diagnosis/fitting_causes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

/// True if the job fits the memory, within the error of predictions.
bool is_held(const SuspectJob& job) {
  constexpr double room = 1.15;
  const StepCase& step = job.step;
  const auto layers =
      layer_work(step.model, computed_plan(step.plan, step.model, step.cluster.accelerator));
  const Footprint most = largest_footprint(
      layers, step.plan, memory_profile(step.model, step.plan, step.cluster, job.stack));
  return most.total() <= room * step.cluster.accelerator.memory.value;
}

/// Logarithm of the factor by which the cause lengthens a step; absent if the job cannot have it.
std::optional<double> log_factor(const SlowStepCause& cause, const SuspectJob& job, double typical,
                                 double gravity) {
  SuspectJob faulty = job;
  try {
    if (!cause.change(faulty, gravity) || !is_held(faulty)) return {};
    return std::log(closed_step(faulty.step, faulty.stack).base() / typical);
  } catch (const InputError&) {  // the plan or the chip has no such feature
    return {};
  }
}

/// Likelihood of an excess of `x` deviations: a normal curve with a wide floor, because predictions
/// have outliers.
double likelihood(double x) {
  return 0.98 * std::exp(-0.5 * x * x) + 0.02 * std::exp(-0.05 * x * x);
}

/// Fits the cause over its severities, or at the one that was measured: sets the likelihood of the
/// excess, and the severity that comes nearest to it.
std::optional<FittingCause> fit_cause(const SlowStepCause& cause, const SuspectJob& job,
                                      double typical, double excess, double deviation,
                                      std::optional<double> severity) {
  constexpr int steps = 12;
  const bool is_graded = cause.amount != nullptr && !severity;
  double evidence = 0;
  std::optional<FittingCause> best;
  double nearest = 0;
  double before = 0;
  for (int i = 0; i <= (is_graded ? steps : 0); ++i) {
    double gravity = is_graded ? static_cast<double>(i) / steps : severity.value_or(1);
    const auto found = log_factor(cause, job, typical, gravity);
    if (!found) return {};
    double effect = *found;
    evidence += likelihood((std::log(excess) - effect) / deviation) / (is_graded ? steps + 1 : 1);
    const bool is_passed = i > 0 && before < std::log(excess) && effect > std::log(excess);
    if (is_passed) {  // the effect is interpolated linearly between the two points
      gravity -= (effect - std::log(excess)) / (effect - before) / steps;
      effect = std::log(excess);
    }
    before = *found;
    const double off = std::abs(std::log(excess) - effect);
    if (best && off >= nearest) continue;
    nearest = off;
    best = FittingCause{.cause = &cause,
                        .factor = std::exp(effect),
                        .amount = cause.amount ? cause.amount(gravity) : std::string()};
  }
  constexpr double noticeable = 1.005;  // a cause without a noticeable effect explains nothing
  if (!best || (best->factor < noticeable && before < std::log(noticeable))) return {};
  best->probability = cause.odds * evidence;
  return best;
}

/// Factor on the odds of a cause from other evidence than the step time (assumed).
double odds_after(const SlowStepCause& cause, const ExcessOfStep& excess) {
  constexpr double began_again = 0.03;  // a job restarted with other arguments within one log
  constexpr double seen = 20;           // odds for or against links that were measured
  const bool is_from_the_start =
      cause.group == SlowStepGroup::Flag || cause.group == SlowStepGroup::Batch;
  if (is_from_the_start && excess.came_later) return began_again;
  const std::optional<double> share = excess.links.of(cause.links);
  return !share ? 1 : *share < healthy_share ? seen : 1 / seen;
}

}  // namespace

std::vector<FittingCause> fitting_causes(const SuspectJob& job, const ExcessOfStep& excess,
                                         const std::vector<std::string>& stated) {
  const double typical = closed_step(job.step, job.stack).base();
  std::vector<FittingCause> fitting;
  for (const SlowStepCause& cause : slow_step_causes()) {
    const bool is_stated = std::ranges::find(stated, cause.plan_row) != stated.end();
    if (is_stated && !cause.plan_row.empty()) continue;
    const std::optional<double> share = excess.links.of(cause.links);
    auto found = fit_cause(
        cause, job, typical, excess.factor, excess.deviation,
        share && *share < healthy_share ? std::optional(severity_of(*share)) : std::nullopt);
    if (!found) continue;
    found->probability *= odds_after(cause, excess);
    fitting.push_back(std::move(*found));
  }
  // Most jobs have none of these faults, so "no cause" gets as much prior weight as all causes
  // together.
  const auto none = static_cast<double>(std::max<std::size_t>(1, fitting.size()));
  fitting.push_back({.probability = none * likelihood(std::log(excess.factor) / excess.deviation)});
  double sum = 0;
  for (const FittingCause& each : fitting) sum += each.probability;
  for (FittingCause& each : fitting) each.probability /= sum;
  constexpr double least_reported = 0.02;
  std::erase_if(fitting,
                [](const FittingCause& each) { return each.probability < least_reported; });
  std::ranges::stable_sort(
      fitting, [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return fitting;
}

}  // namespace diagnosis
}  // namespace tofn
