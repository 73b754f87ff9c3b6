#include "sim/formats/step_logs/steady_steps.hpp"

#include <algorithm>

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

TEST_CASE("what grows or scatters over a whole run is no warm-up") {
  std::vector<double> growing;
  for (int i = 0; i < 300; ++i) growing.push_back(5 + 2.5 * i / 300);
  CHECK(steady(growing).warm_up == 1);
  // A tenth may be warm-up: 30 of 300 times.
  std::vector<double> slow_start(300, 1.0);
  std::fill_n(slow_start.begin(), 30, 1.5);
  CHECK(steady(slow_start).warm_up == 30);
  slow_start[30] = 1.5;
  CHECK(steady(slow_start).warm_up == 1);
}

TEST_CASE("of two levels that alternate the more frequent one is taken, and no mean") {
  std::vector<double> seconds{5};
  for (int i = 0; i < 299; ++i) seconds.push_back(i % 5 < 3 ? 5 : 8);
  const SteadySteps found = steady(seconds);
  CHECK(found.warm_up == 1);
  CHECK(found.has_two_levels);
  CHECK(found.seconds == 5);
  CHECK(found.steps == 180);
  CHECK(outliers_text(found, 300) ==
        "WARNING: the times have two levels that alternate: 180 of about 5 s and 119 of about 8 s; "
        "the more frequent one is taken, and no mean");
  // As many of each, 20 behind the first, once gave 6.5 s.
  std::vector<double> even;
  for (int i = 0; i < 41; ++i) even.push_back(i % 4 == 0 || i % 4 == 1 ? 5 : 8);
  CHECK(steady(even).seconds == 5);
  CHECK(steady(even).warm_up == 1);
  CHECK(steady(even).outliers.size() == 20);
}

TEST_CASE("outliers cost what they took beyond as many steady steps") {
  std::vector<double> seconds;
  for (int i = 1; i <= 300; ++i) seconds.push_back(i % 10 == 0 ? 15 : 5);
  const SteadySteps found = steady(seconds);
  CHECK(found.seconds == 5);
  CHECK_FALSE(found.has_two_levels);
  CHECK(found.cost.steps == 30);
  CHECK(found.cost.of == 300);
  CHECK(found.cost.step == Seconds{15});
  // 30 x 10 s of 270 x 5 s + 30 x 15 s = 1800 s.
  CHECK_THAT(found.cost.share, WithinRel(300.0 / 1800, 1e-9));
}
