#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/uncertain_parts.hpp"
#include "sim/core/error.hpp"
#include "sim/expense/goodput.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
std::vector<Plan> plans_to_measure(const SimulatedStep& step) {
  const int replicas = step.plan.data_parallel_size;
  const int replica = step.plan.accelerators() / replicas;
  const int node = step.cluster.accelerators_per_node.value;
  std::vector<Plan> plans;
  for (int count = 1, least = 1; count < replicas; ++count)
    if (count >= least && count * replica % node == 0 && replicas % count == 0) {
      plans.push_back(step.plan);
      plans.back().data_parallel_size = count;
      least = 2 * count;
    }
  plans.push_back(step.plan);
  return plans;
}

namespace {

constexpr double ends = ninety_percent_deviations;

/// Uncertainties of a job's steps.
class OfJob {
 public:
  OfJob(const RunEstimate& job, const KernelProfile& profile)
      : step_(main_phase(*job.job).step), profile_(profile) {
    const RunFigures& f = job.expected;
    const double moving = f.training_seconds + f.evaluation_seconds;
    moving_ = moving / (moving + f.start_up_seconds + f.input_seconds);
    if (is_learned()) response_ = response_to(profile);
  }

  std::vector<UncertainPart> parts() const;
  /// Measurements of steps under this plan, by number of accelerators, with the deviation that each
  /// would leave of the total `deviation`; a larger one only if it leaves a tenth less. Empty if
  /// the stack has no fitted uncertainty.
  std::vector<Measurement> measured_steps(double deviation) const;

 private:
  bool is_learned() const { return !profile_.uncertainty.covariance.empty(); }
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
    if (spread == 0 || (uncertainty.factor == &StepPerturbation::stack && is_learned())) continue;
    const auto end = [&](double deviations) {
      StepPerturbation by;
      by.*uncertainty.factor = Distribution{spread}.draw(1, deviations);
      return std::log(step_.responses.factor(by));
    };
    const Interval of_step{end(-ends), end(ends)};
    parts.push_back(part(std::string(uncertainty.name), of_step, variance_of(of_step),
                         uncertainty.is_of_links ? Settling::Collectives : Settling::Steps));
  }
  if (is_learned()) add_stack(parts);
  return parts;
}

std::vector<Measurement> OfJob::measured_steps(double deviation) const {
  std::vector<Measurement> all;
  if (!is_learned()) return all;
  const double before = moving_ * stack_deviation(response_, uncertainty_of(profile_));
  for (const Plan& plan : plans_to_measure(step_)) try {
      StepCase seen{.model = step_.model, .plan = plan, .cluster = step_.cluster, .measured = {}};
      seen.measured = closed_step(seen, profile_);
      const KernelProfile known = sharpened(profile_, seen, Shared::ModelAndPlan);
      const double after = moving_ * stack_deviation(response_to(known), uncertainty_of(known));
      const double left =
          std::sqrt(std::max(0.0, deviation * deviation - before * before + after * after));
      if (!all.empty() && left > 0.9 * all.back().deviation) continue;
      const Seconds taken = default_start_up + steps_measured * *seen.measured;
      all.push_back(
          {.name = fmt::format("a step on {} accelerators under this plan", plan.accelerators()),
           .command =
               fmt::format("--observed '{},{:g}: TIME'", plan.accelerators(), plan.global_batch()),
           .accelerator_hours = plan.accelerators() * taken.base() / seconds_per_hour,
           .deviation = left});
    } catch (const InputError&) {
      continue;  // that plan does not divide the model
    }
  return all;
}

/// Adds the uncertainty of failures, restarts and checkpoints that are not stated.
void add_interruptions(std::vector<UncertainPart>& parts, const RunEstimate& job) {
  for (const InterruptionUncertainty& uncertainty : interruption_uncertainties) {
    if (job.job->expenses.*uncertainty.stated) continue;
    const auto end = [&](double deviations) {
      Job other = *job.job;
      other.expenses.*uncertainty.stated =
          Distribution{uncertainty.deviation}.draw(1, deviations) * uncertainty.typical;
      return std::log(estimate(other).expected.seconds / job.expected.seconds);
    };
    const Interval logarithm{end(-ends), end(ends)};
    if (const double variance = variance_of(logarithm); variance > 0)
      parts.push_back({std::string(uncertainty.name), logarithm, variance, Settling::Failures});
  }
}

/// Accelerator-hours of the measurements for a job: steps on its fewest nodes, collectives on two
/// nodes; logs of failures and of hours exist or do not.
HoursTaken hours_taken(const SimulatedStep& step) {
  HoursTaken hours;
  hours.fill(-1);
  const auto set = [&](Settling by, double taken) { hours[static_cast<std::size_t>(by)] = taken; };
  set(Settling::Collectives,
      2 * step.cluster.accelerators_per_node.value * time_of_collectives.base() / seconds_per_hour);
  set(Settling::Failures, 0);
  set(Settling::Hours, 0);
  set(Settling::Quotes, 0);
  if (step.responses.spreads().stack == 0)
    set(Settling::Steps, plans_to_measure(step).front().accelerators() *
                             (default_start_up + steps_measured * step.times.total).base() /
                             seconds_per_hour);
  return hours;
}

}  // namespace

TimeUncertainties job_uncertainties(const RunEstimate& job, const KernelProfile& profile,
                                    double price_deviation) {
  const OfJob of(job, profile);
  std::vector<UncertainPart> parts = of.parts();
  add_interruptions(parts, job);
  add_price(parts, price_deviation);
  const double reach = std::log(job.overrun.steps_spread);
  if (reach > 0)
    parts.push_back({"steps as others ran them",
                     {std::max(-reach, std::log(job.fastest)), reach},
                     std::pow(reach / ends, 2),
                     Settling::Steps});
  if (const double mean = job.overrun.excess; mean > 0)
    parts.push_back({"hours beyond the steps",
                     {-std::log(0.95) * mean, -std::log(0.05) * mean},
                     mean * mean,  // variance of an exponential variate
                     Settling::Hours});
  TimeUncertainties found = collected(std::move(parts), hours_taken(main_phase(*job.job).step));
  // A measured step also removes the uncertainty of how others ran their steps.
  const double without_others =
      std::sqrt(std::max(0.0, std::pow(found.deviation, 2) - std::pow(reach / ends, 2)));
  for (Measurement& each : of.measured_steps(without_others)) found.next.push_back(std::move(each));
  found.next = ranked(std::move(found.next));
  return found;
}

}  // namespace answers
}  // namespace tofn
