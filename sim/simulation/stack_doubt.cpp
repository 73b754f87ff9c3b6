#include "sim/simulation/stack_doubt.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

constexpr std::size_t count = stack_figures.size();

/// Of what no figure explains, the part that all steps of a model share.
constexpr double model_share = model_deviation * model_deviation /
                               (model_deviation * model_deviation + step_noise * step_noise);

/// Of the step with each figure.
StackResponse covariance_with(const StackResponse& response, const StackDoubt& doubt) {
  StackResponse product{};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      product[i] += doubt.covariance[i * count + j] * response[j];
  return product;
}

/// What is thought of the figures' logarithms, as shifts of where they stand, and last of the
/// model's factor: their mean and covariance, a measured step after the other (recursive least
/// squares, which gives what all at once would).
class Belief {
 public:
  Belief(const StackDoubt& doubt, double model_variance) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) covariance_[i][j] = doubt.covariance[i * count + j];
    covariance_[count][count] = model_variance;
  }

  /// `error`: log(measured / predicted) before anything moved.
  void learn(const StackResponse& response, double error, double noise) {
    std::array<double, count + 1> direction{};
    std::copy(response.begin(), response.end(), direction.begin());
    direction[count] = 1;
    std::array<double, count + 1> product{};
    double variance = noise;
    for (std::size_t i = 0; i <= count; ++i) {
      for (std::size_t j = 0; j <= count; ++j) product[i] += covariance_[i][j] * direction[j];
      variance += direction[i] * product[i];
      error -= direction[i] * shift_[i];
    }
    for (std::size_t i = 0; i <= count; ++i) {
      shift_[i] += product[i] * error / variance;
      for (std::size_t j = 0; j <= count; ++j)
        covariance_[i][j] -= product[i] * product[j] / variance;
    }
  }

  void move(KernelProfile& profile) const {
    profile.model_factor *= std::exp(shift_[count]);
    for (std::size_t i = 0; i < count; ++i) {
      const StackFigure& figure = stack_figures[i];
      figure.set(profile, std::min(figure.most, figure.value(profile) * std::exp(shift_[i])));
      for (std::size_t j = 0; j < count; ++j)
        profile.doubt.covariance[i * count + j] = covariance_[i][j];
    }
  }

  double model_variance() const { return covariance_[count][count]; }

 private:
  std::array<double, count + 1> shift_{};
  std::array<std::array<double, count + 1>, count + 1> covariance_{};
};

}  // namespace

StackResponse stack_response(const KernelProfile& profile,
                             const std::function<double(const KernelProfile&)>& seconds) {
  constexpr double by = 0.04;  // large enough to average over the steps of tiles and waves
  const double centre = std::log(seconds(profile));
  StackResponse response{};
  for (std::size_t i = 0; i < count; ++i) {
    KernelProfile other = profile;
    stack_figures[i].set(other, stack_figures[i].value(profile) * std::exp(-by));
    response[i] = (centre - std::log(seconds(other))) / by;
  }
  return response;
}

Seconds closed_step(const StepCase& step, const KernelProfile& profile) {
  return closed_form(step_work(step.model, step.plan, step.cluster, profile)).total;
}

double stack_deviation(const StackResponse& response, const StackDoubt& doubt) {
  double variance = doubt.discrepancy * doubt.discrepancy;
  if (doubt.covariance.empty()) return std::sqrt(variance);
  const StackResponse product = covariance_with(response, doubt);
  for (std::size_t i = 0; i < count; ++i) variance += response[i] * product[i];
  return std::sqrt(std::max(0.0, variance));
}

KernelProfile sharpened(const KernelProfile& profile, std::span<const StepCase> measured) {
  assert(!profile.doubt.covariance.empty());
  const double unexplained = profile.doubt.discrepancy * profile.doubt.discrepancy;
  Belief belief(profile.doubt, unexplained * model_share);
  for (const StepCase& step : measured) {
    assert(step.measured);
    const auto seconds = [&](const KernelProfile& by) { return closed_step(step, by).base(); };
    const double error = std::log(step.measured->base() / seconds(profile));
    const double noise =
        unexplained * (1 - model_share) + step.measured_error * step.measured_error;
    belief.learn(stack_response(profile, seconds), error, noise);
  }
  KernelProfile result = profile;
  belief.move(result);
  result.own_steps += static_cast<int>(measured.size());
  result.doubt.discrepancy = std::sqrt(unexplained * (1 - model_share) + belief.model_variance());
  return result;
}

}  // namespace simulation
}  // namespace tofn
