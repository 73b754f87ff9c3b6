#include "sim/calibration/evaluation_fit.hpp"

#include <array>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

EvaluationEquation equation(double passes, double forward, double per_pass, double per_forward) {
  return {.passes = passes,
          .forward_seconds = forward,
          .observed_seconds = passes * per_pass + forward * per_forward};
}

std::vector<EvaluationEquation> equations(double per_pass, double per_forward) {
  return {equation(4, 1.0, per_pass, per_forward), equation(10, 1.5, per_pass, per_forward),
          equation(20, 8.0, per_pass, per_forward), equation(40, 5.0, per_pass, per_forward),
          equation(5, 9.0, per_pass, per_forward)};
}

}  // namespace

TEST_CASE("an evaluation fit recovers the cost of a pass and of its forward time") {
  const EvaluationCost cost = fit_evaluation(equations(0.2, 1.5));
  CHECK_THAT(cost.per_pass.base(), WithinRel(0.2, 0.005));
  CHECK_THAT(cost.per_forward, WithinRel(1.5, 0.005));
}

TEST_CASE("one odd evaluation does not tilt the fit") {
  auto seen = equations(0.2, 1.5);
  for (const auto& each : equations(0.2, 1.5)) seen.push_back(each);
  seen[2].observed_seconds *= 1.3;
  const EvaluationCost cost = fit_evaluation(seen);
  CHECK_THAT(cost.per_pass.base(), WithinRel(0.2, 0.02));
  CHECK_THAT(cost.per_forward, WithinRel(1.5, 0.02));
}

TEST_CASE("a pass costs nothing of its own where the evaluations do not show it") {
  auto seen = equations(0, 1.5);
  constexpr std::array noise{1.02, 0.98, 0.97, 1.02, 1.01};
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i].observed_seconds *= noise[i];
  const EvaluationCost cost = fit_evaluation(seen);
  CHECK(cost.per_pass == 0_s);
  CHECK_THAT(cost.per_forward, WithinRel(1.5, 0.03));
}

TEST_CASE("one or two evaluations say nothing of the pass") {
  const std::vector<EvaluationEquation> one{equation(4, 2.0, 0.5, 1.0)};
  CHECK(fit_evaluation(one).per_pass == 0_s);
  CHECK_THAT(fit_evaluation(one).per_forward,
             WithinRel(2.0, 1e-6));  // 4 seconds observed of 2 forward
  const std::vector<EvaluationEquation> two{equation(4, 2.0, 0.5, 1.0), equation(8, 2.0, 0.5, 1.0)};
  CHECK(fit_evaluation(two).per_pass == 0_s);
}

TEST_CASE("evaluations of one shape cannot tell a pass from its forward time") {
  const std::vector<EvaluationEquation> seen{equation(4, 2, 0.5, 1), equation(8, 4, 0.5, 1),
                                             equation(12, 6, 0.5, 1)};
  const EvaluationCost cost = fit_evaluation(seen);
  CHECK(cost.per_pass == 0_s);
  CHECK_THAT(cost.per_forward, WithinRel(2.0, 1e-6));
}
