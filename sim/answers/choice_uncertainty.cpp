#include "sim/answers/choice_uncertainty.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <compare>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/uncertain_parts.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/normal_share.hpp"
#include "sim/expense/expense.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// An uncertain input; two runs share it if it is equal.
struct Input {
  std::optional<Settling> by;  ///< absent: no measurement would settle it
  std::string place;           ///< cluster or offer that it belongs to; empty: any
  std::string name;

  auto operator<=>(const Input&) const = default;
};

/// Changes of a logarithm by one standard deviation of each input.
using Effects = std::map<Input, double>;

double dot(const Effects& a, const Effects& b) {
  double sum = 0;
  for (const auto& [input, effect] : a)
    if (const auto other = b.find(input); other != b.end()) sum += effect * other->second;
  return sum;
}

/// The logarithm of a step or of a run's objective, as far as it is uncertain.
struct Uncertain {
  Effects effects{};
  std::optional<RespondingStep> step{};  ///< absent: no fitted stack, or measured itself
  double scale = 1;                      ///< on the logarithm of the step
  double own = 0;                        ///< variance from one run to the next
  double shift = 0;                      ///< of the mean, from inputs that act out of proportion

  /// Adds an input by the logarithm `at` so many of its deviations, to the second order.
  template <class Logarithm>
  void add(const Input& input, double times, const Logarithm& at) {
    constexpr double end = ninety_percent_deviations;
    const double low = at(-end);
    const double high = at(end);
    effects[input] = times * (high - low) / 2 / end;
    shift += times * ((high + low) / 2 - at(0)) / (end * end);
  }
};

double stack_part(const Uncertain& a, const Uncertain& b, const KernelProfile& profile) {
  return a.step && b.step ? a.scale * b.scale * stack_covariance(*a.step, *b.step, profile) : 0;
}

double covariance(const Uncertain& a, const Uncertain& b, const KernelProfile& profile) {
  return dot(a.effects, b.effects) + stack_part(a, b, profile);
}

Uncertain of_step(const SimulatedStep& step, const KernelProfile& profile, double scale = 1) {
  Uncertain all{.scale = scale};
  const StepSpreads& spreads = step.responses.spreads();
  for (const StepUncertainty& uncertainty : step_uncertainties) {
    const double spread = spreads.*uncertainty.spread;
    if (spread == 0 || uncertainty.factor == &StepPerturbation::stack) continue;
    const bool is_of_links = uncertainty.is_of_links;
    all.add({is_of_links ? Settling::Collectives : Settling::Steps,
             is_of_links ? step.cluster.name : "", std::string(uncertainty.name)},
            scale, [&](double deviations) {
              StepPerturbation by;
              by.*uncertainty.factor = Distribution{spread}.draw(1, deviations);
              return std::log(step.responses.factor(by));
            });
  }
  if (const bool is_measured = spreads.bandwidth == 0; is_measured) {
    all.own = std::pow(scale * spreads.stack, 2);
  } else if (!profile.uncertainty.covariance.empty()) {
    const Accelerator& chip = step.cluster.accelerator;
    RespondingStep& responding = all.step.emplace();
    responding.step = {
        .model = step.model, .plan = step.plan, .cluster = step.cluster, .measured = {}};
    responding.response = stack_response(profile, responding.step);
    all.own = std::pow(scale * uncertainty_on(profile, chip, step.model).discrepancy.run, 2);
  }
  return all;
}

/// Per cent by which an objective grows with one of time, price and power.
struct Exponents {
  double time = 0, price = 0, power = 0;
};

Exponents exponents_of(const Objective& by) {
  const auto grown = [&](std::initializer_list<double RunFigures::*> figures) {
    RunFigures all;
    for (const auto figure : {&RunFigures::days, &RunFigures::usd, &RunFigures::kilowatt_hours,
                              &RunFigures::co2_tonnes})
      all.*figure = 1;
    for (const auto figure : figures) all.*figure = 2;
    return std::log2(by.of(all));
  };
  return {.time = grown({&RunFigures::days, &RunFigures::usd, &RunFigures::kilowatt_hours,
                         &RunFigures::co2_tonnes}),
          .price = grown({&RunFigures::usd}),
          .power = grown({&RunFigures::kilowatt_hours, &RunFigures::co2_tonnes})};
}

/// Steps of a run, as far as its time scales with them.
Uncertain of_steps(const RunSearch& request, const RunCandidate& run) {
  const RunFigures& f = run.figures();
  const double moving = f.training_seconds + f.evaluation_seconds;
  const double share = moving / (moving + f.start_up_seconds + f.input_seconds);
  return of_step(*run.estimate().simulated(), request.profile,
                 exponents_of(request.by).time * share);
}

Input price_of(const Offer& offer) {
  std::string place = offer.cluster.name;
  if (offer.expenses.term) place += fmt::format(" {}", name_in(price_terms, *offer.expenses.term));
  return {Settling::Quotes, place, "price"};
}

Uncertain of_run(const RunSearch& request, const RunCandidate& run) {
  const RunEstimate& estimate = run.estimate();
  const Offer& offer = request.offers[run.offer];
  const Exponents exponents = exponents_of(request.by);
  Uncertain all = of_steps(request, run);
  for (const InterruptionUncertainty& uncertainty : interruption_uncertainties) {
    if (estimate.run->expenses.*uncertainty.stated) continue;
    all.add({Settling::Failures, offer.cluster.name, std::string(uncertainty.name)}, exponents.time,
            [&](double deviations) {
              Run other = *estimate.run;
              other.expenses.*uncertainty.stated =
                  Distribution{uncertainty.deviation}.draw(1, deviations) * uncertainty.typical;
              return std::log(expected_figures(other).seconds);
            });
  }
  all.effects[price_of(offer)] = exponents.price * offer.price_deviation;
  all.effects[{{}, offer.cluster.name, "power"}] =
      exponents.power * default_power_uncertainty / ninety_percent_deviations;
  return all;
}

/// Two runs of one model, between which a search chose.
class ComparedRuns {
 public:
  ComparedRuns(const RunSearch& request, const RunCandidate& best, const RunCandidate& other)
      : request_(request), runs_{&best, &other} {
    for (const RunCandidate* run : runs_) of_.push_back(of_run(request, *run));
    for (const Uncertain& run : of_) variance_ += covariance(run, run, request.profile) + run.own;
    variance_ = std::max(0.0, variance_ - 2 * covariance(of_[0], of_[1], request.profile));
  }

  ChoiceUncertainty uncertainty() const;

 private:
  double left(double removed) const { return std::sqrt(std::max(0.0, variance_ - removed)); }
  void add_inputs(std::vector<Measurement>&) const;
  void add_steps(std::vector<Measurement>&, const RunCandidate&, std::set<std::string>& seen) const;

  const RunSearch& request_;
  std::vector<const RunCandidate*> runs_;
  std::vector<Uncertain> of_;
  double variance_ = 0;
};

/// Adds measurements that settle inputs, each kind of each place once.
void ComparedRuns::add_inputs(std::vector<Measurement>& all) const {
  Effects differences = of_[1].effects;
  for (const auto& [input, effect] : of_[0].effects) differences[input] -= effect;
  std::map<std::pair<Settling, std::string>, double> removed;
  for (const auto& [input, effect] : differences)
    if (input.by && *input.by != Settling::Steps)
      removed[{*input.by, *input.by == Settling::Failures ? "" : input.place}] += effect * effect;
  for (const auto& [of, variance] : removed) {
    const auto& [by, place] = of;
    double hours = 0;
    if (by == Settling::Collectives)
      for (const RunCandidate* run : runs_)
        if (const Cluster& cluster = request_.offers[run->offer].cluster; cluster.name == place)
          hours = 2 * cluster.accelerators_per_node.value * time_of_collectives.base() /
                  seconds_per_hour;
    all.push_back(
        {.name = std::string(row_of(by).measurement) + (place.empty() ? "" : ": ") + place,
         .command = std::string(row_of(by).command),
         .accelerator_hours = hours,
         .deviation = left(variance),
         .is_a_bound = true});
  }
}

/// Adds measured steps under the plan of a run, by number of accelerators; a larger one only if it
/// leaves a tenth less. By Bayes' rule a step removes the square of its covariance with the choice
/// over its own variance.
void ComparedRuns::add_steps(std::vector<Measurement>& all, const RunCandidate& run,
                             std::set<std::string>& seen) const {
  const SimulatedStep& whole = *run.estimate().simulated();
  double least = std::numeric_limits<double>::infinity();
  for (const Plan& plan : plans_to_measure(whole)) try {
      if (!seen.insert(whole.cluster.name + plan_words(plan)).second) continue;
      const SimulatedStep step = simulate_step(whole.model, plan, whole.cluster, request_.profile);
      const Uncertain measured = of_step(step, request_.profile);
      const double shared = covariance(of_[1], measured, request_.profile) -
                            covariance(of_[0], measured, request_.profile);
      const double own = covariance(measured, measured, request_.profile) + measured.own;
      const double after = own > 0 ? left(shared * shared / own) : left(0);
      if (after > 0.9 * least) continue;
      least = after;
      const Seconds taken = default_start_up + steps_measured * step.times.total;
      all.push_back({.name = fmt::format("a step on {} of {}, plan of {}", plan.accelerators(),
                                         whole.cluster.name, whole.plan.accelerators()),
                     .command = "predict " + observed_words(plan),
                     .plan = plan_options(whole),
                     .accelerator_hours = plan.accelerators() * taken.base() / seconds_per_hour,
                     .deviation = after});
    } catch (const InputError&) {
      continue;  // that plan does not divide the model
    }
}

ChoiceUncertainty ComparedRuns::uncertainty() const {
  ChoiceUncertainty found{.logarithm = std::log(request_.by.of(runs_[1]->figures()) /
                                                request_.by.of(runs_[0]->figures())) +
                                       of_[1].shift - of_[0].shift,
                          .deviation = left(0),
                          .next = {}};
  std::set<std::string> seen;
  for (const RunCandidate* run : runs_) add_steps(found.next, *run, seen);
  add_inputs(found.next);
  std::erase_if(found.next, [&](const Measurement& each) {
    return found.chance_after(each) < found.chance() + least_choice_gain;
  });
  found.next = ranked(std::move(found.next));
  return found;
}

}  // namespace

double chance_of_right_choice(double difference, double deviation, double left) {
  constexpr int points = 2000;
  const double moves = std::sqrt(std::max(0.0, deviation * deviation - left * left));
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    const double known = difference + moves * normal_quantile((i + 0.5) / points);
    sum += left > 0 ? normal_share_below(std::abs(known) / left) : 1;
  }
  return sum / points;
}

double ChoiceUncertainty::chance() const {
  return deviation > 0 ? normal_share_below(logarithm / deviation) : 1;
}

double ChoiceUncertainty::chance_after(const Measurement& measurement) const {
  return chance_of_right_choice(logarithm, deviation, measurement.deviation);
}

double undrawn_variance(const RunSearch& request, const RunCandidate& a, const RunCandidate& b) {
  const Uncertain of_a = of_steps(request, a);
  const Uncertain of_b = of_steps(request, b);
  const auto drawn = [](const RunCandidate& run, const Uncertain& of) {
    return of.scale * run.estimate().simulated()->responses.spreads().stack;
  };
  const auto of_stack = [&](const Uncertain& one, const Uncertain& other) {
    return stack_part(one, other, request.profile);
  };
  const double differing = of_stack(of_a, of_a) + of_stack(of_b, of_b) - 2 * of_stack(of_a, of_b) +
                           of_a.own + of_b.own - std::pow(drawn(a, of_a) - drawn(b, of_b), 2);
  double prices = 0;
  if (a.offer != b.offer)
    for (const RunCandidate* run : {&a, &b})
      prices +=
          std::pow(exponents_of(request.by).price * request.offers[run->offer].price_deviation, 2);
  return std::max(0.0, differing) + prices;
}

ChoiceUncertainty choice_uncertainty(const RunSearch& request, const RunChoice& choice) {
  assert(choice.best && choice.runner_up);
  return ComparedRuns(request, choice.candidates[*choice.best],
                      choice.candidates[*choice.runner_up])
      .uncertainty();
}

}  // namespace answers
}  // namespace tofn
