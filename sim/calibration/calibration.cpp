#include "sim/calibration/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/calibration/fit_workloads.hpp"
#include "sim/calibration/step_fit.hpp"
#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Sum of the equations' relative deviations.
double misfit(std::span<const EvaluationEquation> equations, const EvaluationCost& cost) {
  double sum = 0;
  for (const auto& e : equations)
    sum += std::abs(e.passes * cost.of(Seconds{e.forward_seconds}).base() / e.observed_seconds - 1);
  return sum;
}

/// True if passes of different lengths take the host's time. Passes of one length show nothing of
/// the host.
bool shows_host(std::span<const EvaluationEquation> equations, const EvaluationCost& cost) {
  constexpr double different = 1.1;  // ratio of two forward passes, assumed
  double shortest = std::numeric_limits<double>::infinity();
  double longest = 0;
  for (const auto& e : equations) {
    if (cost.per_forward * e.forward_seconds >= cost.host.base()) continue;
    shortest = std::min(shortest, e.forward_seconds);
    longest = std::max(longest, e.forward_seconds);
  }
  return longest > different * shortest;
}

/// The best multiple of the forward pass for a host time. The least sum of deviations is reached
/// where one equation holds exactly.
EvaluationCost best_with(std::span<const EvaluationEquation> equations, Seconds host) {
  EvaluationCost best{.host = host};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& e : equations) {
    const EvaluationCost tried{.host = host,
                               .per_forward = e.observed_seconds / e.passes / e.forward_seconds};
    const double sum = misfit(equations, tried);
    if (sum >= least) continue;
    least = sum;
    best = tried;
  }
  return best;
}

/// Memory share of a workload without a pair of accelerators that differ only in memory: the median
/// of the workloads that have one, or an assumed value.
double default_memory_share(std::span<const WorkloadCalibration> workloads) {
  constexpr double assumed = 0.2;
  std::vector<double> measured;
  for (const WorkloadCalibration& each : workloads)
    if (each.memory_share_was_measured) measured.push_back(each.memory_share);
  return measured.empty() ? assumed : median(measured);
}

std::vector<const Observation*> of_workload(const std::vector<Observation>& all,
                                            const Workload* workload) {
  std::vector<const Observation*> seen;
  for (const auto& each : all)
    if (each.run.workload == workload) seen.push_back(&each);
  return seen;
}

/// Fits the fixed run time of observations whose steps were logged apart from evaluations. If it is
/// negative, the clock missed steps (Stable Diffusion's run_stop is back-dated to a checkpoint), so
/// it is counted in steps.
void fit_fixed(std::span<const Observation* const> seen, WorkloadCalibration& result) {
  std::vector<LabelledValue> values;
  std::vector<double> all;
  for (const Observation* each : seen) {
    if (!each->fixed || !each->step || !step_is_clean(*each)) continue;
    values.push_back({each, each->fixed->base()});
    all.push_back(each->fixed->base());
  }
  if (values.empty()) return;
  result.fixed_is_in_steps = median(all) < 0;
  if (result.fixed_is_in_steps)
    for (LabelledValue& value : values) value.value /= value.seen->step->base();
  result.fixed = release_figures(values, false);
}

/// Median, over systems, of the samples they needed over those of the reference points.
double fit_samples(const std::function<SamplesToTarget(const RunDescription&)>& expected_of,
                   std::span<const Observation* const> seen) {
  constexpr std::size_t least_systems = 5;
  std::vector<double> ratios;
  for (const Observation* each : seen)
    if (const double expected = expected_of(each->run).expected; each->samples && expected > 0)
      ratios.push_back(*each->samples / expected);
  return ratios.size() < least_systems ? 1 : median(ratios);
}

/// Fits the cost of an evaluation pass over all accelerators, then the remaining factor of each.
void fit_evaluations(const Calibration& calibration, std::span<const Observation* const> seen,
                     WorkloadCalibration& result) {
  std::vector<const Observation*> evaluated;
  std::vector<EvaluationEquation> equations;
  for (const Observation* each : seen) {
    if (!each->evaluation_each) continue;
    RunParameters parameters;
    parameters.compute = calibration.profile_for(each->run);
    const Run run = benchmark_run(each->run, parameters);
    const Evaluations evaluations = evaluations_of(*run.benchmark);
    if (evaluations.passes <= 0) continue;
    const Seconds forward =
        run.stretches.front().step->forward_pass(evaluations.samples, evaluations.passes);
    evaluated.push_back(each);
    equations.push_back({.passes = evaluations.passes,
                         .forward_seconds = forward.base(),
                         .observed_seconds = each->evaluation_each->base()});
  }
  if (equations.empty()) return;
  result.evaluation = fit_evaluation(equations);
  std::vector<LabelledValue> left;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const Seconds forward{equations[i].forward_seconds};
    const double modelled = equations[i].passes * result.evaluation.of(forward).base();
    left.push_back({evaluated[i], equations[i].observed_seconds / modelled});
  }
  result.evaluation_factors = release_figures(left, true);
}

/// The most frequent value of a setting among the observations that `counts` selects; absent if
/// none states it.
template <class T, class Pick>
std::optional<T> most_stated(const std::vector<Observation>& observations,
                             std::optional<T> RunSettings::*setting, Pick counts) {
  std::vector<std::pair<T, int>> votes;
  for (const Observation& each : observations) {
    const std::optional<T>& stated = each.run.settings.*setting;
    if (!stated || !counts(each)) continue;
    const auto place =
        std::ranges::find_if(votes, [&](const auto& vote) { return vote.first == *stated; });
    if (place == votes.end())
      votes.emplace_back(*stated, 1);
    else
      ++place->second;
  }
  if (votes.empty()) return {};
  return std::ranges::max_element(votes,
                                  [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

EvaluationCost fit_evaluation(std::span<const EvaluationEquation> equations) {
  constexpr std::size_t least_equations = 3;
  const EvaluationCost device = best_with(equations, Seconds{});
  if (equations.size() < least_equations) return device;
  EvaluationCost both = device;
  for (const auto& e : equations) {
    const EvaluationCost tried = best_with(equations, Seconds{e.observed_seconds / e.passes});
    if (shows_host(equations, tried) && misfit(equations, tried) < misfit(equations, both))
      both = tried;
  }
  // With exponential deviations, the likelihood is their sum to the power of -n.
  constexpr double exact = 1e-9;
  const double gain =
      static_cast<double>(equations.size()) *
      std::log((misfit(equations, device) + exact) / (misfit(equations, both) + exact));
  return gain > 1 ? both : device;
}

Calibration::Calibration(const std::vector<Observation>& stated) {
  const std::vector<Observation> observations = with_default_settings(stated);
  std::vector<std::vector<std::vector<const Observation*>>> steps;
  for (const auto& each : observations) {
    if (find(*each.run.workload) != nullptr) continue;
    const auto seen = of_workload(observations, each.run.workload);
    const bool is_simulated = each.run.workload->simulated.has_value();
    const auto simulated = is_simulated ? seen : std::vector<const Observation*>{};
    steps.emplace_back();
    if (!is_simulated) steps.back() = steps_by_accelerator(seen);
    workloads_.push_back({.workload = each.run.workload,
                          .accelerators = fit_determined(steps.back()),
                          .teaching_steps = TeachingSteps(simulated),
                          .overhead_is_per_operator = false,
                          .memory_share = 0,
                          .memory_share_was_measured = false,
                          .evaluation = {},
                          .evaluation_factors = {},
                          .fixed = {},
                          .fixed_is_in_steps = false,
                          .convergence = convergence_points(*each.run.workload, seen)});
    WorkloadCalibration& added = workloads_.back();
    if (!added.convergence.empty()) added.convergence_law = fit_convergence_law(added.convergence);
  }
  operator_overhead_ = shared_operator_overhead(workloads_);
  for (std::size_t i = 0; i < workloads_.size(); ++i) {
    WorkloadCalibration& one = workloads_[i];
    fit_undetermined(one, steps[i], operator_overhead_);
    const auto share = measured_memory_share(one);
    one.memory_share_was_measured = share.has_value();
    one.memory_share = share.value_or(0);
  }
  const double default_share = default_memory_share(workloads_);
  for (WorkloadCalibration& one : workloads_)
    if (!one.memory_share_was_measured) one.memory_share = default_share;
  server_spread_ = measured_server_spread(workloads_);
  for (WorkloadCalibration& one : workloads_) {
    const auto seen = of_workload(observations, one.workload);
    fit_fixed(seen, one);
    if (one.workload->simulated)
      one.samples_factor =
          fit_samples([&](const auto& run) { return samples_for(run, one); }, seen);
    if (one.workload->simulated || !one.accelerators.empty()) fit_evaluations(*this, seen, one);
  }
}

const WorkloadCalibration* Calibration::find(const Workload& workload) const {
  for (const auto& each : workloads_)
    if (each.workload == &workload) return &each;
  return nullptr;
}

std::vector<Observation> with_default_settings(const std::vector<Observation>& observations) {
  std::vector<Observation> filled = observations;
  for (Observation& each : filled) {
    const auto is_alike = [&](const Observation& other) {
      return other.run.workload == each.run.workload &&
             other.run.cluster->accelerator.name == each.run.cluster->accelerator.name;
    };
    const auto is_split_alike = [&](const Observation& other) {
      return is_alike(other) && split_of(other.run.plan) == split_of(each.run.plan);
    };
    RunSettings& settings = each.run.settings;
    if (!settings.precision)
      settings.precision = most_stated(observations, &RunSettings::precision, is_alike);
    if (!settings.fp8_attention)
      settings.fp8_attention =
          most_stated(observations, &RunSettings::fp8_attention, is_split_alike);
  }
  return filled;
}

}  // namespace calibration
}  // namespace tofn
