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

KernelProfile sharpened(const KernelProfile& profile, const StepCase& measured) {
  assert(measured.measured && !profile.doubt.covariance.empty());
  const auto seconds = [&](const KernelProfile& by) { return closed_step(measured, by).base(); };
  const StackResponse response = stack_response(profile, seconds);
  const double error = std::log(measured.measured->base() / seconds(profile));
  const double deviation = stack_deviation(response, profile.doubt);
  const StackResponse product = covariance_with(response, profile.doubt);
  const double unexplained = profile.doubt.discrepancy * profile.doubt.discrepancy;
  const double own = unexplained * model_share;
  const double gain = error / (deviation * deviation);
  KernelProfile result = profile;
  result.model_factor *= std::exp(own * gain);
  StackDoubt& doubt = result.doubt;
  for (std::size_t i = 0; i < count; ++i) {
    const StackFigure& figure = stack_figures[i];
    figure.set(result, std::min(figure.most, figure.value(profile) * std::exp(product[i] * gain)));
    for (std::size_t j = 0; j < count; ++j)
      doubt.covariance[i * count + j] -= product[i] * product[j] / (deviation * deviation);
  }
  doubt.discrepancy = std::sqrt(unexplained - own * own / (deviation * deviation));
  return result;
}

}  // namespace simulation
}  // namespace tofn
