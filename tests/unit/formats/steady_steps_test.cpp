#include "sim/formats/step_logs/steady_steps.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

SteadySteps steady(const std::vector<double>& seconds) {
  std::vector<LoggedStep> steps;
  for (const double each : seconds) steps.push_back({.seconds = each});
  return steady_steps(steps);
}

}  // namespace

TEST_CASE("warm-up ends with the first time near the second half's median") {
  const SteadySteps found = steady({9, 3, 1.2, 1.04, 1, 1, 1.01, 0.99, 1, 1});
  CHECK(found.warm_up == 3);
  CHECK(found.seconds == 1);
  CHECK(found.steps == 7);
}

TEST_CASE("of four times or more the first is warm-up whatever it took") {
  CHECK(steady({1, 1, 1, 1}).warm_up == 1);
  CHECK(steady({1, 1, 1}).warm_up == 0);
}

TEST_CASE("a checkpoint is an outlier by name, and the median does not see it") {
  const SteadySteps found = steady({1, 1.00, 1.01, 0.99, 30, 1.00, 1.02, 0.98, 12, 1.00});
  REQUIRE(found.outliers.size() == 2);
  CHECK(found.outliers[0].seconds == 30);
  CHECK(found.outliers[1].seconds == 12);
  CHECK(found.steps == 7);
  CHECK(found.seconds == 1.00);
  // Deviations from 1 are 0, .01, .01, 0, .02, .02, 0; the spread is their median .01 times 1.4826.
  CHECK_THAT(found.spread, WithinRel(0.014826, 1e-3));
}

TEST_CASE("noise of a few percent is no outlier, however steady the rest is") {
  CHECK(steady({1, 1, 1, 1, 1, 1.04, 1, 1}).outliers.empty());
  CHECK(steady({1, 1, 1, 1, 1, 1.06, 1, 1}).outliers.size() == 1);
}

TEST_CASE("times in two far-apart halves are all kept") {
  const SteadySteps found = steady({1, 2});
  CHECK(found.outliers.empty());
  CHECK(found.seconds == 1.5);
  CHECK(found.steps == 2);
}

TEST_CASE("a printed time counts as many steps as it is the mean of") {
  const std::vector<LoggedStep> steps(5, {.seconds = 2, .steps = 10});
  CHECK(steady_steps(steps).steps == 40);
}
