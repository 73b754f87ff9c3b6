#include "sim/answers/elasticities.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/core/parallel.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr double tenth_more = 1.1;
constexpr double twice = 2;
constexpr double least_effect = 1e-6;  // smaller effects are rounding

/// Returns a factor that changes the figure in both directions, or in one at the end of its range.
double factor_for(const VariableInput& input) {
  const bool moves = input.times(tenth_more) != input.value || !input.is_whole;
  return moves ? tenth_more : twice;
}

std::optional<Elasticity> elasticity(const VariableInput& input, const PredictionInputs& inputs,
                                     const Outcome& expected, const OutcomeOf& outcome_of) {
  const auto with = [&](double value) {
    PredictionInputs changed = inputs;
    input.set(changed, value);
    return outcome_of(changed);
  };
  const double factor = factor_for(input);
  const double more = input.times(factor);
  const double less = input.times(1 / factor);
  if (more == less) return {};
  const Outcome high = with(more);
  const Outcome low = with(less);
  Elasticity found{.input = input, .change = more / input.value - 1};
  double largest = 0;
  for (std::size_t i = 0; i < outcome_figures.size(); ++i) {
    const auto of = outcome_figures[i].value;
    if (expected.*of == 0) continue;
    found.effect[i] = high.*of / expected.*of - 1;
    found.elasticity[i] = std::log(high.*of / low.*of) / std::log(more / less);
    largest = std::max(largest, std::abs(found.elasticity[i]));
  }
  if (largest < least_effect) return {};
  return found;
}

double strongest(const Elasticity& of) {
  double most = 0;
  for (const double each : of.elasticity) most = std::max(most, std::abs(each));
  return most;
}

}  // namespace

std::vector<Elasticity> elasticities(const PredictionInputs& inputs, const OutcomeOf& outcome_of) {
  const std::vector<VariableInput> all = variable_inputs(inputs);
  const Outcome expected = outcome_of(inputs);
  std::vector<std::optional<Elasticity>> found(all.size());
  in_parallel(all.size(), [&](std::size_t i) {
    try {
      found[i] = elasticity(all[i], inputs, expected, outcome_of);
    } catch (const InputError&) {
    }
  });
  std::vector<Elasticity> acting;
  for (auto& each : found)
    if (each) acting.push_back(std::move(*each));
  std::ranges::stable_sort(acting, [](const Elasticity& a, const Elasticity& b) {
    const double time_a = std::abs(a.elasticity[0]);
    const double time_b = std::abs(b.elasticity[0]);
    return time_a != time_b ? time_a > time_b : strongest(a) > strongest(b);
  });
  return acting;
}

}  // namespace answers
}  // namespace tofn
