#include <algorithm>
#include <array>
#include <vector>

#include "sim/calibration/calibration.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

EvaluationEquation equation(double passes, double forward, double host, double per_forward) {
  return {.passes = passes,
          .forward_seconds = forward,
          .observed_seconds = passes * std::max(host, per_forward * forward)};
}

/// Passes that take the device 0.15 to 2.7 s at 1.5 times their forward time.
std::vector<EvaluationEquation> equations(double host, double per_forward) {
  return {equation(4, 0.1, host, per_forward), equation(10, 0.15, host, per_forward),
          equation(20, 0.4, host, per_forward), equation(40, 0.125, host, per_forward),
          equation(5, 1.8, host, per_forward)};
}

}  // namespace

TEST_CASE("an evaluation fit recovers the host's time and the multiple of the forward pass") {
  const EvaluationCost cost = fit_evaluation(equations(0.4, 1.5));
  CHECK_THAT(cost.host.base(), WithinRel(0.4, 1e-9));
  CHECK_THAT(cost.per_forward, WithinRel(1.5, 1e-9));
  CHECK_THAT(cost.of(Seconds{0.1}).base(), WithinRel(0.4, 1e-9));
  CHECK_THAT(cost.of(Seconds{1}).base(), WithinRel(1.5, 1e-9));
}

TEST_CASE("one odd evaluation does not tilt the fit") {
  auto seen = equations(0.4, 1.5);
  for (const auto& each : equations(0.4, 1.5)) seen.push_back(each);
  seen[2].observed_seconds *= 1.3;
  const EvaluationCost cost = fit_evaluation(seen);
  CHECK_THAT(cost.host.base(), WithinRel(0.4, 1e-9));
  CHECK_THAT(cost.per_forward, WithinRel(1.5, 1e-9));
}

TEST_CASE("the host takes no time of its own where the evaluations do not show it") {
  auto seen = equations(0, 1.5);
  constexpr std::array noise{1.02, 0.98, 0.97, 1.02, 1.01};
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i].observed_seconds *= noise[i];
  const EvaluationCost cost = fit_evaluation(seen);
  CHECK(cost.host == 0_s);
  CHECK_THAT(cost.per_forward, WithinRel(1.5, 0.03));
}

TEST_CASE("one or two evaluations say nothing of the host") {
  const std::vector<EvaluationEquation> one{equation(4, 0.5, 1.0, 1.0)};
  CHECK(fit_evaluation(one).host == 0_s);
  CHECK_THAT(fit_evaluation(one).per_forward, WithinRel(2.0, 1e-9));
  const std::vector<EvaluationEquation> two{equation(4, 0.5, 1.0, 1.0), equation(8, 2.0, 1.0, 1.0)};
  CHECK(fit_evaluation(two).host == 0_s);
}

TEST_CASE("evaluations of one shape cannot tell the host from the forward pass") {
  const std::vector<EvaluationEquation> seen{equation(4, 0.5, 1, 1), equation(8, 0.5, 1, 1),
                                             equation(12, 0.5, 1, 1)};
  const EvaluationCost cost = fit_evaluation(seen);
  CHECK(cost.host == 0_s);
  CHECK_THAT(cost.per_forward, WithinRel(2.0, 1e-9));
}

TEST_CASE("three evaluations are enough to tell the host's time") {
  const std::vector<EvaluationEquation> seen{
      equation(4, 0.1, 0.4, 1.5), equation(10, 0.15, 0.4, 1.5), equation(5, 1.8, 0.4, 1.5)};
  CHECK_THAT(fit_evaluation(seen).host.base(), WithinRel(0.4, 1e-9));
}

TEST_CASE("two evaluations of one shape that take longer than the others are no host's time") {
  std::vector<EvaluationEquation> seen{equation(5, 1.8, 0.8, 1.5), equation(7, 0.9, 0.8, 1.5),
                                       equation(8, 0.5, 0.8, 1.5), equation(13, 0.5, 0.8, 1.5)};
  CHECK(fit_evaluation(seen).host == 0_s);
  seen.push_back(equation(8, 0.4, 0.8, 1.5));  // of another shape, and as long
  CHECK_THAT(fit_evaluation(seen).host.base(), WithinRel(0.8, 1e-9));
}
