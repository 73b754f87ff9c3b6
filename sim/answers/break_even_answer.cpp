#include "sim/answers/break_even_answer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sim/answers/variable_inputs.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace answers {
namespace {

class Ties {
 public:
  Ties(const RunSearch& request, const RunChoice& choice)
      : request_(request), choice_(choice), best_(choice.candidates[choice.best.value()]) {}

  std::vector<BreakEven> all();

 private:
  const Cluster& cluster(const RunCandidate& of) const { return request_.offers[of.offer].cluster; }
  std::string name(const RunCandidate& of) const {
    return fmt::format("{} x {} ({})", of.point.accelerators, cluster(of).accelerator.name,
                       cluster(of).name);
  }
  std::size_t place(const RunCandidate& of) const {
    return static_cast<std::size_t>(&of - choice_.candidates.data());
  }
  double value(const RunFigures& figures) const { return request_.by.of(figures); }
  /// Returns the objective with one link figure of the candidate's cluster multiplied by `factor`.
  double value_at(const RunCandidate&, const std::string& input, double factor) const;
  const RunCandidate* best_on(std::size_t offer) const;
  void add_prices();
  void add_links();
  void add_limits();
  /// Returns the limit that a candidate keeps with the requested confidence.
  double kept(const RunCandidate&, const RunLimit&) const;

  const RunSearch& request_;
  const RunChoice& choice_;
  const RunCandidate& best_;
  std::vector<BreakEven> found_;
};

/// Returns the first candidate of an offer that keeps the limits, else the nearest to keeping them;
/// nullptr if the offer has none.
const RunCandidate* Ties::best_on(std::size_t offer) const {
  const RunCandidate* nearest = nullptr;
  for (const RunCandidate& each : choice_.candidates) {
    if (each.offer != offer) continue;
    if (each.chance >= request_.confidence) return &each;
    if (nearest == nullptr || is_nearer(each, *nearest)) nearest = &each;
  }
  return nearest;
}

void Ties::add_prices() {
  if (!request_.by.needs_price || request_.offers[best_.offer].expenses.price) return;
  for (std::size_t offer = 0; offer < request_.offers.size(); ++offer) {
    const RunCandidate* other = offer == best_.offer ? nullptr : best_on(offer);
    if (other == nullptr || !other->point.estimate->expense.price) continue;
    // An objective that counts money is proportional to the price.
    const double now = other->point.estimate->expense.price->usd_per_hour;
    const double tie = now * value(best_.figures()) / value(other->figures());
    found_.push_back(
        {.figure = "price of " + cluster(*other).name,
         .value = tie,
         .now = now,
         .other = place(*other),
         .words = fmt::format(
             "{} at {:.4g} USD/h (now {:.4g}) would tie: {}{}", cluster(*other).name, tie, now,
             name(*other),
             other->chance >= request_.confidence ? "" : ", which does not keep the limits")});
  }
}

double Ties::value_at(const RunCandidate& of, const std::string& input, double factor) const {
  Run run = *of.point.estimate->run;
  PredictionInputs inputs{.cluster = cluster(of), .stack = request_.profile};
  for (const VariableInput& each : variable_inputs(inputs))
    if (each.name == input) each.set(inputs, each.times(factor));
  for (RunStretch& stretch : run.stretches)
    stretch.step = stretch.step->on(inputs.cluster, inputs.stack);
  return value(expected_figures(run));
}

/// Returns the factor at which the difference of two smooth functions changes its sign, by
/// bisection of its logarithm; absent if it does not change.
template <class Difference>
std::optional<double> root(const Difference& difference) {
  constexpr double most = 64;
  const bool is_ahead = difference(1.0) < 0;
  for (const double end : {1 / most, most}) {
    if ((difference(end) < 0) == is_ahead) continue;
    double near = 1;
    double far = end;
    while (std::abs(std::log(far / near)) > 1e-4) {
      const double middle = std::sqrt(near * far);
      ((difference(middle) < 0) == is_ahead ? near : far) = middle;
    }
    return std::sqrt(near * far);
  }
  return {};
}

void Ties::add_links() {
  if (!choice_.runner_up) return;
  const RunCandidate& other = choice_.candidates[*choice_.runner_up];
  const bool share = other.offer == best_.offer;
  const auto ask = [&](const ClusterField& field, const auto& figure) {
    const auto* found = stated(figure);
    if (found == nullptr || field.role.uncertainty != Uncertainty::Bandwidth) return;
    const std::string input = field.dotted();
    const double there = value(other.estimate().expected);
    const auto difference = [&](double factor) {
      return value_at(best_, input, factor) - (share ? value_at(other, input, factor) : there);
    };
    const auto factor = root(difference);
    if (!factor) return;
    const double now = number_of(*found);
    if constexpr (requires { to_text(found->value); })
      found_.push_back(
          {.figure = fmt::format("{} of {}", input, cluster(best_).name),
           .value = now * *factor,
           .now = now,
           .other = place(other),
           .words = fmt::format("{} of {} at {} (now {}) would tie: {}", input, cluster(best_).name,
                                to_text(*factor * found->value, 3), to_text(found->value, 3),
                                name(other))});
  };
  visit_cluster(ask, cluster(best_));
}

double Ties::kept(const RunCandidate& of, const RunLimit& limit) const {
  std::vector<double> drawn;
  for (const RunSample& draw : of.estimate().samples)
    drawn.push_back(of.estimate().sampled(figure_of(limit.figure), draw));
  return quantile(drawn, request_.confidence);
}

void Ties::add_limits() {
  for (const RunLimit& limit : request_.limits) {
    const double tightest = kept(best_, limit);
    found_.push_back(
        {.figure = std::string(limit.name),
         .value = tightest,
         .now = limit.most,
         .other = place(best_),
         .words = fmt::format("the {} may be {} (now {}): the best keeps it as surely", limit.name,
                              count_text(tightest, 4), count_text(limit.most, 4))});
  }
  for (const BindingLimit& each : choice_.binding) {
    const RunCandidate& other = choice_.candidates[each.best_without];
    const double from = kept(other, each.limit);
    found_.push_back(
        {.figure = std::string(each.limit.name),
         .value = from,
         .now = each.limit.most,
         .other = each.best_without,
         .words = fmt::format("from a {} of {} (now {}) on {} would be best", each.limit.name,
                              count_text(from, 4), count_text(each.limit.most, 4), name(other))});
  }
}

std::vector<BreakEven> Ties::all() {
  add_prices();
  add_links();
  add_limits();
  return std::move(found_);
}

}  // namespace

std::vector<BreakEven> break_evens(const RunSearch& request, const RunChoice& choice) {
  if (!choice.best) return {};
  return Ties(request, choice).all();
}

}  // namespace answers
}  // namespace tofn
