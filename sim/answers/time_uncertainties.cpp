#include "sim/answers/time_uncertainties.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/answers/uncertain_parts.hpp"
#include "sim/core/error.hpp"
#include "sim/expense/goodput.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr double ends = ninety_percent_deviations;

// Models

/// Returns the case with the same replica on the fewest whole nodes that hold it.
StepCase small_case(const SimulatedStep& step) {
  StepCase small{.model = step.model, .plan = step.plan, .cluster = step.cluster, .measured = {}};
  const int replica = step.plan.accelerators() / step.plan.data_parallel_size;
  const int node = step.cluster.accelerators_per_node.value;
  for (int count = 1; count < step.plan.data_parallel_size; ++count)
    if (count * replica % node == 0 && step.plan.data_parallel_size % count == 0) {
      small.plan.data_parallel_size = count;
      break;
    }
  return small;
}

class OfJob {
 public:
  OfJob(const RunEstimate& job, const KernelProfile& profile)
      : step_(main_phase(*job.job).step), profile_(profile) {
    const RunFigures& f = job.expected;
    const double moving = f.training_seconds + f.evaluation_seconds;
    moving_ = moving / (moving + f.start_up_seconds + f.input_seconds);
    if (is_learnt()) response_ = response_to(profile);
  }

  std::vector<UncertainPart> parts() const;
  /// Remedy by a measured step, with the deviation that it would leave of the total `deviation`.
  std::optional<Remedy> measured_step(double deviation) const;

 private:
  bool is_learnt() const { return !profile_.uncertainty.covariance.empty(); }
  StackResponse response_to(const KernelProfile& profile) const {
    const StepCase all{
        .model = step_.model, .plan = step_.plan, .cluster = step_.cluster, .measured = {}};
    return stack_response(
        profile, [&](const KernelProfile& by) { return closed_step(all, by).base(); },
        step_.cluster.accelerator.architecture);
  }
  StackUncertainty uncertainty_of(const KernelProfile& profile) const {
    return uncertainty_on(profile, step_.cluster.accelerator, step_.model);
  }
  UncertainPart part(std::string name, Interval of_step, double variance, Settling by) const {
    return {std::move(name),
            {std::log1p(moving_ * std::expm1(of_step.low)),
             std::log1p(moving_ * std::expm1(of_step.high))},
            moving_ * moving_ * variance,
            by};
  }
  void add_stack(std::vector<UncertainPart>&) const;

  const SimulatedStep& step_;
  const KernelProfile& profile_;
  double moving_ = 1;  ///< share of the time that scales with the steps
  StackResponse response_{};
};

void OfJob::add_stack(std::vector<UncertainPart>& parts) const {
  const StackUncertainty uncertainty = uncertainty_of(profile_);
  constexpr std::size_t count = stack_figures.size();
  double with_model = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double covariance = uncertainty.with_model.empty() ? 0 : uncertainty.with_model[i];
    with_model += response_[i] * covariance;
    for (std::size_t j = 0; j < count; ++j)
      covariance += uncertainty.covariance[i * count + j] * response_[j];
    const double reach = ends * response_[i] * std::sqrt(uncertainty.covariance[i * count + i]);
    if (reach != 0)
      parts.push_back(part(fmt::format("{} of the stack", stack_figures[i].key), {-reach, reach},
                           response_[i] * covariance, Settling::Steps));
  }
  const Discrepancy& left = uncertainty.discrepancy;
  const auto add = [&](const char* name, double deviation, double more) {
    if (deviation > 0)
      parts.push_back(part(name, {-ends * deviation, ends * deviation},
                           deviation * deviation + more, Settling::Steps));
  };
  add("this model and chip on the stack", left.model, with_model);
  add("this plan on the stack", left.plan, 0);
  add("one run and the next", left.run, 0);
}

std::vector<UncertainPart> OfJob::parts() const {
  std::vector<UncertainPart> parts;
  const StepSpreads& spreads = step_.responses.spreads();
  for (const StepUncertainty& uncertainty : step_uncertainties) {
    const double spread = spreads.*uncertainty.spread;
    if (spread == 0 || (uncertainty.factor == &StepPerturbation::stack && is_learnt())) continue;
    const auto end = [&](double deviations) {
      StepPerturbation by;
      by.*uncertainty.factor = Distribution{spread}.draw(1, deviations);
      return std::log(step_.responses.factor(by));
    };
    const Interval of_step{end(-ends), end(ends)};
    parts.push_back(part(std::string(uncertainty.name), of_step, variance_between(of_step),
                         uncertainty.is_of_links ? Settling::Collectives : Settling::Steps));
  }
  if (is_learnt()) add_stack(parts);
  return parts;
}

std::optional<Remedy> OfJob::measured_step(double deviation) const {
  if (!is_learnt()) return {};
  StepCase small = small_case(step_);
  try {
    small.measured = closed_step(small, profile_);
  } catch (const InputError&) {
    return {};
  }
  const KernelProfile known = sharpened(profile_, small, Shared::ModelAndPlan);
  const double before = moving_ * stack_deviation(response_, uncertainty_of(profile_));
  const double after = moving_ * stack_deviation(response_to(known), uncertainty_of(known));
  return Remedy{
      .measurement = fmt::format("a step measured on {} accelerators under this plan (--observed "
                                 "'{},{:g}: TIME')",
                                 small.plan.accelerators(), small.plan.accelerators(),
                                 small.plan.global_batch()),
      .deviation =
          std::sqrt(std::max(0.0, deviation * deviation - before * before + after * after)),
      .is_a_bound = false};
}

/// Adds the uncertainty of failures, restarts and checkpoints that are not stated.
void add_interruptions(std::vector<UncertainPart>& parts, const RunEstimate& job) {
  for (const InterruptionUncertainty& uncertainty : interruption_uncertainties) {
    if (job.job->expenses.*uncertainty.stated) continue;
    const auto end = [&](double deviations) {
      Job other = *job.job;
      other.expenses.*uncertainty.stated =
          Distribution{uncertainty.deviation}.draw(1, deviations) * uncertainty.usual;
      return std::log(estimate(other).expected.seconds / job.expected.seconds);
    };
    const Interval logarithm{end(-ends), end(ends)};
    if (const double variance = variance_between(logarithm); variance > 0)
      parts.push_back({std::string(uncertainty.name), logarithm, variance, Settling::Failures});
  }
}

// Workloads

class OfRun {
 public:
  explicit OfRun(const RunModel& model) : model_(model) {
    const RunParameters& p = model.parameters();
    centre_.fixed = p.fixed.value;
    centre_.samples = p.samples.expected;
    expected_ = seconds(centre_);
  }

  std::vector<UncertainPart> parts() const;

 private:
  double seconds(const RunDraw& draw) const {
    return draw.samples > 0 ? model_.evaluate(draw).total().time.base()
                            : model_.step().times(draw.step).total.base();
  }
  /// Adds a part; `move` applies so many deviations to a draw.
  template <class Move>
  void add(std::vector<UncertainPart>& parts, std::string_view name, Settling by,
           const Move& move) const {
    const auto end = [&](double deviations) {
      RunDraw draw = centre_;
      move(draw, deviations);
      return std::log(seconds(draw) / expected_);
    };
    const Interval logarithm{end(-ends), end(ends)};
    if (const double variance = variance_between(logarithm); variance > 0)
      parts.push_back({std::string(name), logarithm, variance, by});
  }

  const RunModel& model_;
  RunDraw centre_;
  double expected_ = 0;
};

std::vector<UncertainPart> OfRun::parts() const {
  std::vector<UncertainPart> parts;
  const RunParameters& p = model_.parameters();
  const StepSpreads spreads = model_.step().spreads();
  for (const StepUncertainty& uncertainty : step_uncertainties)
    add(parts, uncertainty.name,
        uncertainty.is_of_links ? Settling::Collectives : Settling::NodeSteps,
        [&](RunDraw& draw, double z) {
          draw.step.*uncertainty.factor = Distribution{spreads.*uncertainty.spread}.draw(1, z);
        });
  if (centre_.samples == 0) return parts;
  add(parts, "evaluations", Settling::Evaluations, [&](RunDraw& draw, double z) {
    draw.evaluation = Distribution{p.evaluation_factor.spread}.draw(1, z);
  });
  add(parts, "fixed time", Settling::Evaluations, [&](RunDraw& draw, double z) {
    draw.fixed = p.fixed.value + z * p.fixed.spread;
    if (!p.fixed_is_in_steps && p.fixed.value >= 0) draw.fixed = std::max(0.0, draw.fixed);
  });
  const auto samples = [&](double deviation) {
    return [=](RunDraw& draw, double z) {
      draw.samples = Distribution{deviation / p.samples.expected}.draw(p.samples.expected, z);
    };
  };
  add(parts, "samples to the target", Settling::Runs, samples(p.samples.expected_deviation));
  const double scored = std::max(1, model_.description().runs - 2);
  add(parts, "luck of the runs", Settling::Runs,
      samples(p.samples.run_deviation / std::sqrt(scored)));
  return parts;
}

}  // namespace

TimeUncertainties job_uncertainties(const RunEstimate& job, const KernelProfile& profile) {
  const OfJob of(job, profile);
  std::vector<UncertainPart> parts = of.parts();
  add_interruptions(parts, job);
  if (const double reach = std::log(job.overrun.steps_spread); reach > 0)
    parts.push_back({"steps as others ran them",
                     {std::max(-reach, std::log(job.fastest)), reach},
                     std::pow(reach / ends, 2),
                     Settling::Steps});
  if (const double mean = job.overrun.excess; mean > 0)
    parts.push_back({"hours beyond the steps",
                     {-std::log(0.95) * mean, -std::log(0.05) * mean},
                     mean * mean,  // variance of an exponential variate
                     Settling::Hours});
  TimeUncertainties uncertainties = collected_uncertainties(std::move(parts));
  if (!uncertainties.remedy ||
      uncertainties.remedy->measurement != measurement_words(Settling::Steps))
    return uncertainties;
  // A measured step also removes the uncertainty of how others ran their steps.
  const double of_others = std::log(job.overrun.steps_spread) / ends;
  if (auto remedy = of.measured_step(
          std::sqrt(std::max(0.0, std::pow(uncertainties.deviation, 2) - of_others * of_others))))
    uncertainties.remedy = std::move(*remedy);
  return uncertainties;
}

TimeUncertainties run_uncertainties(const RunModel& model) {
  return collected_uncertainties(OfRun(model).parts());
}

}  // namespace answers
}  // namespace tofn
