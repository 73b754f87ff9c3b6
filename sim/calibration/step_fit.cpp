#include "sim/calibration/step_fit.hpp"

#include <algorithm>
#include <cmath>

#include "sim/calibration/determined_terms.hpp"
#include "sim/core/statistics.hpp"
#include "sim/simulation/calibrated_step.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Equal servers of different makers differ by 1 to 2 % in one-node steps; a single server shows no
/// more.
constexpr double least_spread = 0.015;
constexpr double single_observation_spread = 0.03;
constexpr double least_overhead_spread = 0.05;
/// The rest of the step depends weakly on the fitted terms (for example, on what backward hides),
/// so the linear fit is repeated until it settles.
constexpr int fixed_point_rounds = 12;

/// One step in relative form: shared*unknown + arithmetic/efficiency = left, all over the measured
/// time; `shared` is the coefficient of the term fitted beside the efficiencies.
struct Equation {
  std::size_t release = 0;
  double shared = 0;
  double arithmetic = 0;
  double left = 0;
  double weight = 1;
};

Equation equation_of(const Observation& seen, const StepFit& fit, std::size_t release) {
  ComputeProfile profile;
  profile.precision =
      pass_precision(seen.run.settings.precision.value_or(seen.run.workload->precision),
                     seen.run.settings.fp8_attention.value_or(false));
  profile.efficiency = fit.releases[release].efficiency;
  profile.overhead = fit.overhead;
  profile.overlap_loss = fit.overlap_loss;
  profile.context_loss = fit.context_loss;
  const auto step_with = [&](double overlap_loss) {
    profile.overlap_loss = overlap_loss;
    return CalibratedStep(*seen.run.workload, *seen.run.cluster, seen.run.plan, seen.run.settings,
                          profile)
        .times();
  };
  const StepTimes step = step_with(fit.overlap_loss);
  Seconds compute = part(step.parts, StepPart::Compute);
  Seconds rest = step.total - compute;
  double shared = 0;
  if (fit.learned == Learned::Overhead) {
    shared = seen.run.plan.gradient_accumulation / seen.step->base();
    rest -= part(step.parts, StepPart::Launch);
  } else if (fit.learned == Learned::OverlapLoss) {
    const Seconds hidden = step_with(1).total - step_with(0).total;
    shared = hidden / *seen.step;
    rest -= fit.overlap_loss * hidden;
  } else if (fit.learned == Learned::ContextLoss && seen.run.plan.context_parallel_size > 1) {
    compute = compute / (1 + fit.context_loss);
    shared = compute / *seen.step;
  }
  return {.release = release,
          .shared = shared,
          .arithmetic = profile.efficiency * compute / *seen.step,
          .left = 1 - rest / *seen.step};
}

/// Sums of one release's equations, which eliminate its efficiency from the problem.
struct ReleaseSums {
  double squares = 0;
  double with_shared = 0;
  double with_left = 0;
};

std::vector<ReleaseSums> sums_of(std::span<const Equation> equations, std::size_t releases) {
  std::vector<ReleaseSums> sums(releases);
  for (const Equation& e : equations) {
    ReleaseSums& sum = sums[e.release];
    sum.squares += e.weight * e.arithmetic * e.arithmetic;
    sum.with_shared += e.weight * e.arithmetic * e.shared;
    sum.with_left += e.weight * e.arithmetic * e.left;
  }
  return sums;
}

/// The unknown that the equations share, and its standard error.
struct Solution {
  double value = 0;
  double error = 0;
};

Solution solve_shared(std::span<const Equation> equations, std::size_t releases) {
  const auto sums = sums_of(equations, releases);
  double squares = 0;
  double product = 0;
  double unweighted = 0;
  for (const Equation& e : equations) {
    const ReleaseSums& sum = sums[e.release];
    const double shared = e.shared - e.arithmetic * sum.with_shared / sum.squares;
    const double left = e.left - e.arithmetic * sum.with_left / sum.squares;
    squares += e.weight * shared * shared;
    product += e.weight * shared * left;
    unweighted += shared * shared;
  }
  return {product / squares, least_spread / std::sqrt(unweighted)};
}

void set_unknown(StepFit& fit, const Solution& solution) {
  const double value = std::max(0.0, solution.value);
  switch (fit.learned) {
    case Learned::Efficiencies:
      break;
    case Learned::Overhead:
      fit.overhead = Seconds{value};
      fit.overhead_spread = value > 0 ? std::max(least_overhead_spread, solution.error / value) : 0;
      break;
    case Learned::OverlapLoss:
      fit.overlap_loss = std::min(value, 1.0);
      break;
    case Learned::ContextLoss:
      fit.context_loss = std::min(value, 1.0);
      break;
  }
}

/// Value of the term that is fitted beside the efficiencies.
double unknown_of(const StepFit& fit) {
  switch (fit.learned) {
    case Learned::Efficiencies:
      break;
    case Learned::Overhead:
      return fit.overhead.base();
    case Learned::OverlapLoss:
      return fit.overlap_loss;
    case Learned::ContextLoss:
      return fit.context_loss;
  }
  return 0;
}

void solve(std::span<const Equation> equations, StepFit& fit) {
  if (fit.learned != Learned::Efficiencies)
    set_unknown(fit, solve_shared(equations, fit.releases.size()));
  const double unknown = unknown_of(fit);
  const auto sums = sums_of(equations, fit.releases.size());
  for (std::size_t release = 0; release < fit.releases.size(); ++release) {
    const ReleaseSums& sum = sums[release];
    // If the other terms alone exceed a step, nothing is left for arithmetic. The inverse
    // efficiency stays positive, and the residual shows the misfit.
    const double inverse =
        std::max((sum.with_left - unknown * sum.with_shared) / sum.squares, 1e-3);
    fit.releases[release].efficiency = 1 / inverse;
  }
}

double residual_of(const Equation& e, const StepFit& fit) {
  return e.shared * unknown_of(fit) + e.arithmetic / fit.releases[e.release].efficiency - e.left;
}

/// Weights that turn least squares into least absolute deviations.
void reweight(std::span<Equation> equations, const StepFit& fit) {
  constexpr double smallest_deviation = 0.005;
  for (Equation& e : equations)
    e.weight = 1 / std::max(smallest_deviation, std::abs(residual_of(e, fit)));
}

void measure_residuals(std::span<const Equation> equations, StepFit& fit) {
  std::vector<std::vector<double>> residuals(fit.releases.size());
  for (const Equation& e : equations) {
    const double residual = residual_of(e, fit);
    residuals[e.release].push_back(residual);
    fit.worst_residual = std::max(fit.worst_residual, std::abs(residual));
  }
  for (std::size_t release = 0; release < residuals.size(); ++release) {
    double squares = 0;
    for (const double residual : residuals[release]) squares += residual * residual;
    const auto count = residuals[release].size();
    fit.releases[release].observations = static_cast<int>(count);
    fit.releases[release].server_spread = robust_deviation(residuals[release]);
    const double spread =
        count < 2 ? single_observation_spread
                  : std::max(least_spread, std::sqrt(squares / static_cast<double>(count - 1)));
    fit.releases[release].spread = std::hypot(spread, fit.releases[release].spread);
  }
}

/// Sets what a release's runs show besides its efficiency. Its spread starts as the error of the
/// steps themselves.
void describe_releases(std::span<const Observation* const> seen,
                       const std::vector<std::size_t>& release_of, StepFit& fit) {
  for (std::size_t i = 0; i < seen.size(); ++i) {
    StepFit::Release& release = fit.releases[release_of[i]];
    release.spread = std::max(release.spread, seen[i]->step_error.value_or(0));
    for (const Observation* other : seen)
      release.tells_overhead = release.tells_overhead || batches_differ(*seen[i], *other);
  }
}

std::size_t release_index(StepFit& fit, const Observation& seen) {
  const std::string& name = seen.run.settings.software_release;
  for (std::size_t i = 0; i < fit.releases.size(); ++i)
    if (fit.releases[i].name == name && fit.releases[i].profile == profile_of(seen)) return i;
  fit.releases.push_back({.name = name, .efficiency = 0.4, .profile = profile_of(seen)});
  return fit.releases.size() - 1;
}

void count_split(StepFit& fit, const RunDescription& run) {
  const StepFit::Split split = split_of(run.plan);
  auto place =
      std::ranges::find_if(fit.splits, [&](const auto& each) { return each.split == split; });
  if (place == fit.splits.end()) place = fit.splits.insert(place, {.split = split});
  if (run.settings.fp8_attention)
    ++(*run.settings.fp8_attention ? place->with_fp8_attention : place->without);
}

}  // namespace

const StepFit::ObservedSplit* StepFit::find(const Split& split) const {
  for (const ObservedSplit& each : splits)
    if (each.split == split) return &each;
  return nullptr;
}

StepFit::Split split_of(const Plan& plan) {
  return {plan.tensor_parallel_size, plan.context_parallel_size};
}

StepFit fit_steps(std::span<const Observation* const> seen, Learned learned,
                  const KnownTerms& known) {
  StepFit fit;
  fit.learned = learned;
  fit.overhead = known.overhead;
  fit.overlap_loss = known.overlap_loss;
  fit.context_loss = known.context_loss;
  std::vector<std::size_t> release_of;
  for (const Observation* each : seen) release_of.push_back(release_index(fit, *each));
  std::vector<Equation> equations;
  for (int round = 0; round < fixed_point_rounds; ++round) {
    std::vector<double> weights;
    weights.reserve(equations.size());
    for (const Equation& e : equations) weights.push_back(e.weight);
    equations.clear();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      equations.push_back(equation_of(*seen[i], fit, release_of[i]));
      if (i < weights.size()) equations.back().weight = weights[i];
    }
    solve(equations, fit);
    reweight(equations, fit);
  }
  describe_releases(seen, release_of, fit);
  measure_residuals(equations, fit);
  fit.smallest_batch = seen.front()->run.plan.micro_batch;
  fit.largest_batch = fit.smallest_batch;
  for (const Observation* each : seen) {
    fit.smallest_batch = std::min(fit.smallest_batch, each->run.plan.micro_batch);
    fit.largest_batch = std::max(fit.largest_batch, each->run.plan.micro_batch);
    count_split(fit, each->run);
  }
  return fit;
}

}  // namespace calibration
}  // namespace tofn
