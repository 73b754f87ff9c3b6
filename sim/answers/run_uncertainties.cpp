#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/uncertain_parts.hpp"
#include "sim/core/error.hpp"
#include "sim/expense/expense.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "sim/training/stated_run.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr double ends = ninety_percent_deviations;

/// Uncertainties of a run; those of a stack are of the steps that take most of its time.
class OfRun {
 public:
  OfRun(const RunEstimate& of, const KernelProfile& stack)
      : of_(of), run_(*of.run), step_(of.simulated()), stack_(stack) {
    const RunBreakdown expected = run_.expected();
    expected_ = expected.total().time;
    moving_ = (expected.training.time + expected.evaluation.time) / expected_;
    if (is_learned()) response_ = response_to(stack);
  }

  std::vector<UncertainPart> parts() const;
  /// Measurements of steps under this plan, by number of accelerators, with the deviation that each
  /// would leave of the total `deviation`; a larger one only if it leaves a tenth less. Empty if
  /// the stack has no fitted uncertainty.
  std::vector<Measurement> measured_steps(double deviation) const;

 private:
  /// Ends of the software's interval over those of a normal distribution.
  double tail() const { return student_tail * scatter_scale(stack_, 1); }
  bool is_learned() const { return step_ != nullptr && !stack_.uncertainty.covariance.empty(); }
  StackResponse response_to(const KernelProfile& stack) const {
    return stack_response(
        stack,
        {.model = step_->model, .plan = step_->plan, .cluster = step_->cluster, .measured = {}});
  }
  StackUncertainty uncertainty_of(const KernelProfile& stack) const {
    return uncertainty_on(stack, step_->cluster.accelerator, step_->model);
  }
  Settling settled_by_steps() const {
    return run_.benchmark ? Settling::NodeSteps : Settling::Steps;
  }
  /// Part of the time from the software of the steps, as far as the time scales with them. It
  /// reaches as far as its share of the variance does, whatever correlated parts take back.
  UncertainPart part(std::string name, double variance) const {
    const double end = tail() * ends * std::sqrt(std::max(0.0, variance));
    return {std::move(name),
            {std::log1p(moving_ * std::expm1(-end)), std::log1p(moving_ * std::expm1(end))},
            std::pow(moving_ * tail(), 2) * variance,
            settled_by_steps()};
  }
  /// Adds a part; `move` applies so many deviations to a draw.
  template <class Move>
  void add(std::vector<UncertainPart>& parts, std::string_view name, Settling by,
           const Move& move) const {
    const auto end = [&](double deviations) {
      RunDraw draw;
      move(draw, deviations);
      return std::log(run_.evaluate(draw).total().time / expected_);
    };
    const Interval logarithm{end(-ends), end(ends)};
    if (const double variance = variance_of(logarithm); variance > 0)
      parts.push_back({std::string(name), logarithm, variance, by});
  }
  void add_steps(std::vector<UncertainPart>&) const;
  void add_stack(std::vector<UncertainPart>&) const;
  void add_benchmark(std::vector<UncertainPart>&, const Benchmark&) const;
  void add_interruptions(std::vector<UncertainPart>&) const;
  void add_overrun(std::vector<UncertainPart>&) const;

  const RunEstimate& of_;
  const Run& run_;
  const SimulatedStep* step_;
  const KernelProfile& stack_;
  Seconds expected_;
  double moving_ = 1;  ///< share of the time that scales with the steps
  StackResponse response_{};
};

void OfRun::add_steps(std::vector<UncertainPart>& parts) const {
  for (std::size_t i = 0; i < step_uncertainties.size(); ++i) {
    const StepUncertainty& uncertainty = step_uncertainties[i];
    if (uncertainty.factor == &StepPerturbation::stack && is_learned()) continue;
    add(parts, uncertainty.name,
        uncertainty.is_of_links ? Settling::Collectives : settled_by_steps(),
        [i](RunDraw& draw, double z) { draw.step[i] = step_uncertainties[i].deviation(z); });
  }
}

void OfRun::add_stack(std::vector<UncertainPart>& parts) const {
  const StackUncertainty uncertainty = uncertainty_of(stack_);
  constexpr std::size_t count = stack_figures.size();
  double with_model = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double covariance = uncertainty.with_model.empty() ? 0 : uncertainty.with_model[i];
    with_model += response_[i] * covariance;
    for (std::size_t j = 0; j < count; ++j)
      covariance += uncertainty.covariance[i * count + j] * response_[j];
    if (response_[i] != 0 && uncertainty.covariance[i * count + i] != 0)
      parts.push_back(
          part(fmt::format("{} of the stack", stack_figures[i].key), response_[i] * covariance));
  }
  const Discrepancy& left = uncertainty.discrepancy;
  const auto add = [&](const char* name, double deviation, double more) {
    if (deviation > 0) parts.push_back(part(name, deviation * deviation + more));
  };
  add("this model and chip on the stack", left.model, with_model);
  add("this plan on the stack", left.plan, 0);
  add("one run and the next", left.run, 0);
}

void OfRun::add_benchmark(std::vector<UncertainPart>& parts, const Benchmark& benchmark) const {
  if (!run_.has_target()) return;
  const RunParameters& p = benchmark.parameters;
  add(parts, "evaluations", Settling::Evaluations, [&](RunDraw& draw, double z) {
    draw.evaluation = Distribution{p.evaluation_factor.spread}.draw(1, z);
  });
  add(parts, "fixed time", Settling::Evaluations, [&](RunDraw& draw, double z) {
    const double moved = p.fixed.value + z * p.fixed.spread;
    const bool is_waiting = !p.fixed_is_in_steps && p.fixed.value >= 0;
    draw.start_up = is_waiting ? std::max(0.0, moved) : moved;
  });
  const auto samples = [&](double deviation) {
    return [=](RunDraw& draw, double z) {
      draw.samples = Distribution{deviation / p.samples.expected}.draw(1, z);
    };
  };
  add(parts, "samples to the target", Settling::Runs, samples(p.samples.expected_deviation));
  const double scored = std::max(1, benchmark.description.runs - 2);
  add(parts, "luck of the runs", Settling::Runs,
      samples(p.samples.run_deviation / std::sqrt(scored)));
}

/// Adds the uncertainty of failures, restarts and checkpoints that are not stated.
void OfRun::add_interruptions(std::vector<UncertainPart>& parts) const {
  for (const InterruptionUncertainty& uncertainty : interruption_uncertainties) {
    if (run_.expenses.*uncertainty.stated) continue;
    const auto end = [&](double deviations) {
      Run other = run_;
      other.expenses.*uncertainty.stated =
          Distribution{uncertainty.deviation}.draw(1, deviations) * uncertainty.typical;
      return std::log(expected_figures(other).seconds / of_.expected.seconds);
    };
    const Interval logarithm{end(-ends), end(ends)};
    if (const double variance = variance_of(logarithm); variance > 0)
      parts.push_back({std::string(uncertainty.name), logarithm, variance, Settling::Failures});
  }
}

void OfRun::add_overrun(std::vector<UncertainPart>& parts) const {
  if (const double reach = std::log(of_.overrun.steps_spread); reach > 0)
    parts.push_back({"steps as others ran them",
                     {std::max(-reach, std::log(of_.fastest)), reach},
                     std::pow(reach / ends, 2),
                     Settling::Steps});
  if (const double mean = of_.overrun.excess; mean > 0)
    parts.push_back({"hours beyond the steps",
                     {-std::log(0.95) * mean, -std::log(0.05) * mean},
                     mean * mean,  // variance of an exponential variate
                     Settling::Hours});
}

std::vector<UncertainPart> OfRun::parts() const {
  std::vector<UncertainPart> parts;
  add_steps(parts);
  if (is_learned()) add_stack(parts);
  if (run_.benchmark) {
    add_benchmark(parts, *run_.benchmark);
  } else {
    if (!run_.is_one_step) add_interruptions(parts);
    add_overrun(parts);
  }
  return parts;
}

std::vector<Measurement> OfRun::measured_steps(double deviation) const {
  std::vector<Measurement> all;
  if (!is_learned() || run_.benchmark) return all;
  const double before = moving_ * tail() * stack_deviation(response_, uncertainty_of(stack_));
  for (const Plan& plan : plans_to_measure(*step_)) try {
      StepCase seen{.model = step_->model, .plan = plan, .cluster = step_->cluster, .measured = {}};
      seen.measured = closed_step(seen, stack_);
      const KernelProfile known = sharpened(stack_, seen, Shared::ModelAndPlan);
      const double after =
          moving_ * tail() * stack_deviation(response_to(known), uncertainty_of(known));
      const double left =
          std::sqrt(std::max(0.0, deviation * deviation - before * before + after * after));
      if (!all.empty() && left > 0.9 * all.back().deviation) continue;
      const Seconds taken = default_start_up + steps_measured * *seen.measured;
      all.push_back(
          {.name = fmt::format("a step on {} accelerators under this plan", plan.accelerators()),
           .command = observed_words(plan),
           .plan = plan_options(*step_),
           .accelerator_hours = plan.accelerators() * taken.base() / seconds_per_hour,
           .deviation = left});
    } catch (const InputError&) {
      continue;  // that plan does not divide the model
    }
  return all;
}

/// Accelerator-hours of the measurements for a run: steps on one node or on its fewest nodes,
/// collectives on two, and whole runs; logs of failures and of hours exist or do not.
HoursTaken hours_taken(const RunEstimate& of) {
  HoursTaken hours;
  hours.fill(-1);
  const auto set = [&](Settling by, double taken) { hours[static_cast<std::size_t>(by)] = taken; };
  const double node = of.cluster().accelerators_per_node.value;
  const double collectives = time_of_collectives.base() / seconds_per_hour;
  set(Settling::Collectives, 2 * node * collectives);
  set(Settling::Quotes, 0);
  if (const Benchmark* benchmark = of.benchmark()) {
    const double whole =
        of.plan.accelerators() * of.run->expected().total().time.base() / seconds_per_hour;
    set(Settling::NodeSteps, node * collectives);
    set(Settling::Evaluations, whole);
    set(Settling::Runs, benchmark->description.runs * whole);
    return hours;
  }
  set(Settling::Failures, 0);
  set(Settling::Hours, 0);
  if (of.simulated() == nullptr) return hours;  // no measured period of RL is learnt from
  const SimulatedStep& step = *of.simulated();
  const std::vector<Plan> plans = plans_to_measure(step);
  if (step.responses.spreads().stack == 0 && !plans.empty())
    set(Settling::Steps, plans.front().accelerators() *
                             (default_start_up + steps_measured * step.times.total).base() /
                             seconds_per_hour);
  return hours;
}

}  // namespace

TimeUncertainties uncertainties_of(const RunEstimate& run, const KernelProfile& stack,
                                   double price_deviation) {
  const OfRun of(run, stack);
  std::vector<UncertainPart> parts = of.parts();
  add_price(parts, price_deviation);
  TimeUncertainties found = collected(std::move(parts), hours_taken(run));
  // A measured step also removes the uncertainty of how others ran their steps.
  const double others = std::log(run.overrun.steps_spread) / ends;
  const double without_others =
      std::sqrt(std::max(0.0, found.deviation * found.deviation - others * others));
  for (Measurement& each : of.measured_steps(without_others)) found.next.push_back(std::move(each));
  found.next = ranked(std::move(found.next));
  return found;
}

}  // namespace answers
}  // namespace tofn
