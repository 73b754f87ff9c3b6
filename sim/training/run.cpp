#include "sim/training/run.hpp"

#include <cmath>
#include <numbers>

#include "sim/simulation/simulated_step.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace training {
namespace {

double steps_of(std::span<const RunStretch> stretches) {
  double all = 0;
  for (const RunStretch& stretch : stretches) all += stretch.steps();
  return all;
}

/// Mean of step times, weighted with their share of the steps.
class StepMean {
 public:
  void add(const StepTimes& times, double share) {
    if (share == 1) {
      mean_ = times;
      return;
    }
    if (is_first_) mean_.bases = times.bases;
    is_first_ = false;
    mean_.total += share * times.total;
    mean_.communication += share * times.communication;
    for (std::size_t i = 0; i < mean_.parts.size(); ++i) {
      mean_.parts[i] += share * times.parts[i];
      mean_.bases[i] = std::max(mean_.bases[i], times.bases[i]);
    }
  }
  const StepTimes& mean() const { return mean_; }

 private:
  StepTimes mean_{};
  bool is_first_ = true;
};

/// Times of the steps of a stretch, and of one of its evaluations.
struct StretchTimes {
  StepTimes step;
  Seconds evaluation;
};

/// Sums the terms of stretches. `times`: stretch -> StretchTimes.
template <class Times>
RunBreakdown broken_down(const Run& run, std::span<const RunStretch> stretches, double start_up,
                         const RunDraw& draw, const Times& times) {
  const RunParameters* rules = run.benchmark ? &run.benchmark->parameters : nullptr;
  const Calibrated factor = rules ? rules->evaluation_factor : Calibrated{.value = 1};
  RunBreakdown sum;
  StepMean mean;
  const double all = steps_of(stretches);
  Seconds stepping;
  for (const RunStretch& stretch : stretches) {
    const StretchTimes taken = times(stretch);
    const double steps = draw.samples * stretch.steps();
    const double evaluations = stretch.evaluations.count(draw.samples * stretch.samples);
    mean.add(taken.step, stretch.steps() / all);
    stepping += steps * taken.step.total;
    sum.samples += draw.samples * stretch.samples;
    sum.steps += steps;
    sum.evaluations += evaluations;
    sum.evaluation.time += evaluations * (draw.evaluation * factor.value * taken.evaluation);
    sum.input.time += steps * std::max(Seconds{}, stretch.read - taken.step.total);
  }
  sum.step = mean.mean();
  if (sum.evaluations > 0) {
    sum.evaluation_each = {sum.evaluation.time / sum.evaluations, factor.basis};
    sum.evaluation.basis = factor.basis;
  }
  // A negative time is no wait: the clock missed steps, and the training time is shorter by them.
  const Seconds beside = run.start_up_is_in_steps ? start_up * sum.step.total : Seconds{start_up};
  sum.training = {std::max(stepping + std::min(beside, Seconds{}), Seconds{}),
                  weakest(sum.step.cost().basis, rules ? rules->samples.basis : Basis::Measured)};
  sum.fixed = {std::max(beside, Seconds{}), run.start_up.basis};
  sum.score_scaling = (draw.score_factor - 1) * sum.total();
  return sum;
}

/// Expected score factor. MLPerf multiplies the score of runs that converged faster than the
/// reference mean by reference/runs (mlcommons/logging, rcp_checker). The expectation of max(1,
/// reference/mean) for a mean that scatters normally about the reference is 1 + deviation/sqrt(2
/// pi), to first order.
double expected_score_factor(const Run& run) {
  if (!run.has_target()) return 1;
  const SamplesToTarget& samples = run.benchmark->parameters.samples;
  const double scored = std::max(1, run.benchmark->description.runs - 2);
  return 1 + samples.run_deviation / samples.expected / std::sqrt(scored) /
                 std::sqrt(2 * std::numbers::pi);
}

}  // namespace

RunBreakdown evaluate(const Run& run, std::span<const RunStretch> stretches, double start_up,
                      const RunDraw& draw) {
  return broken_down(run, stretches, start_up, draw, [&](const RunStretch& stretch) {
    const StepSource& step = *stretch.step;
    const bool is_expected = draw.step == StepDeviations{};
    const StepPerturbation by =
        is_expected ? StepPerturbation{} : perturbation(step.spreads(), draw.step);
    return StretchTimes{step.times(by), stretch.evaluations.each(step, by)};
  });
}

RunBreakdown evaluate(const Run& run, std::span<const RunStretch> stretches, double start_up,
                      StepTimes (*times)(const StepSource&)) {
  return broken_down(run, stretches, start_up, {}, [&](const RunStretch& stretch) {
    const StepSource& step = *stretch.step;
    const StepTimes taken = times(step);
    return StretchTimes{taken, taken.total / step.times().total * stretch.evaluations.each(step)};
  });
}

RunBreakdown Run::evaluate(const RunDraw& draw) const {
  return tofn::evaluate(*this, stretches, draw.start_up.value_or(start_up.value), draw);
}

RunDraw Run::centre() const { return {.score_factor = expected_score_factor(*this)}; }

RunBreakdown Run::expected() const { return evaluate(centre()); }

double Benchmark::evaluation_interval() const {
  return description.settings.evaluation_interval.value_or(
      description.workload->evaluation.interval_at(description.plan.global_batch()));
}

Evaluations evaluations_of(const Benchmark& benchmark) {
  const RunDescription& run = benchmark.description;
  const Evaluation& stated = run.workload->evaluation;
  if (stated.mode == EvaluationMode::Offline) return {};
  const double local = std::ceil(stated.samples.value / run.plan.data_parallel_size);
  const double typical = run.workload->simulated ? run.plan.micro_batch : local;
  const double batch = std::min(local, stated.batch ? stated.batch->value : typical);
  return {.interval = benchmark.evaluation_interval(),
          .skipped = run.settings.skipped_evaluations.value_or(stated.skipped.value),
          .least = 1,
          .passes = std::ceil(local / batch),
          .samples = batch,
          .pass = benchmark.parameters.evaluation};
}

Run benchmark_run(const RunDescription& of, const RunParameters& parameters, std::uint64_t seed) {
  Run run;
  run.benchmark = {of, parameters};
  run.is_one_step = !run.has_target();
  run.start_up = run.is_one_step ? Calibrated{.basis = Basis::Measured} : parameters.fixed;
  run.start_up_is_in_steps = parameters.fixed_is_in_steps;
  run.seed = seed;
  if (const auto law = fit_batch_law(of.workload->convergence))
    run.critical_batch = Amount{law->critical_batch, Counted::Samples};
  run.stretches.push_back(
      {.step = step_source(*of.workload, *of.cluster, of.plan, of.settings, parameters.compute),
       .samples = run.is_one_step ? of.plan.global_batch() : parameters.samples.expected,
       .evaluations = run.is_one_step ? Evaluations{} : evaluations_of(*run.benchmark)});
  return run;
}

std::vector<Run> by_phase(const Run& run) {
  std::vector<Run> parts;
  for (const RunStretch& stretch : run.stretches) {
    if (parts.empty() || parts.back().stretches.back().part_of != stretch.part_of) {
      Run& part = parts.emplace_back(run);
      part.stretches.clear();
      if (parts.size() > 1) part.start_up.value = 0;
    }
    parts.back().stretches.push_back(stretch);
  }
  return parts;
}

const RunStretch& main_stretch(const Run& run) {
  return *std::ranges::max_element(run.stretches, {}, &RunStretch::time);
}

const SimulatedStep* fullest_step(const Run& run) {
  const SimulatedStep* fullest = nullptr;
  const auto held = [](const SimulatedStep& step) { return step.memory[step.tightest()].total(); };
  for (const RunStretch& stretch : run.stretches)
    if (const SimulatedStep* step = stretch.step->simulated();
        step != nullptr && (fullest == nullptr || held(*step) > held(*fullest)))
      fullest = step;
  return fullest;
}

StepTimes mean_step(std::span<const RunStretch> stretches) {
  StepMean mean;
  const double all = steps_of(stretches);
  for (const RunStretch& stretch : stretches)
    mean.add(stretch.step->times(), stretch.steps() / all);
  return mean.mean();
}

}  // namespace training
}  // namespace tofn
