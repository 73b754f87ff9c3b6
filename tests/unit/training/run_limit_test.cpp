#include "sim/training/run_limit.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A run with ten samples of 1, 2, ... 10 times 10 days, each day costing 100 USD.
RunEstimate ten_draws() {
  RunEstimate run;
  run.expected.days = 10;
  run.expected.usd = 1000;
  run.expected.kilowatt_hours = 50;
  for (int i = 1; i <= 10; ++i) run.samples.push_back({.time = 1.0 * i, .energy = 11.0 - i});
  return run;
}

}  // namespace

TEST_CASE("the chance to keep limits is the share of draws that keep them all") {
  const RunEstimate run = ten_draws();
  const std::vector<RunLimit> both{{"deadline", &RunFigures::days, 70},
                                   {"energy", &RunFigures::kilowatt_hours, 400}};
  CHECK(chance_of(run, {}) == 1);
  CHECK(chance_of(run, {both[0]}) == Approx(0.7));
  CHECK(chance_of(run, {both[1]}) == Approx(0.8));  // 11 - i <= 8
  CHECK(chance_of(run, both) == Approx(0.5));       // samples 3 to 7
  CHECK(chance_of(run, both, &both[0]) == Approx(0.8));
  CHECK(chance_of(run, {{"budget", &RunFigures::usd, 999}}) == 0);
  CHECK(chance_of(run, {{"budget", &RunFigures::usd, 1000}}) == Approx(0.1));
}

TEST_CASE("the excess over limits is that of the figure whose median is the most times its limit") {
  const RunEstimate run = ten_draws();  // medians of 55 days, 5500 USD and 275 kWh
  const RunLimit days{"deadline", &RunFigures::days, 50};
  const RunLimit energy{"energy", &RunFigures::kilowatt_hours, 100};
  CHECK(largest_excess(run, {}) == 0);
  CHECK_THAT(largest_excess(run, {days}), WithinRel(1.1, 1e-12));
  CHECK_THAT(largest_excess(run, {days, energy}), WithinRel(2.75, 1e-12));
  CHECK_THAT(largest_excess(run, {energy, days}), WithinRel(2.75, 1e-12));
}
