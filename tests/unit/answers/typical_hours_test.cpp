#include "sim/answers/typical_hours.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

RunHours run(const std::string& family, double stated, double simulated, double at_peak) {
  return {.family = family, .stated = stated, .simulated = simulated, .at_peak = at_peak};
}

}  // namespace

TEST_CASE("where runs take a factor of their simulation, it is learnt and weighs all") {
  std::vector<RunHours> runs;
  for (const double peak : {10.0, 20.0, 40.0, 80.0, 160.0}) {
    const double simulated = peak * (2 + std::fmod(peak, 7));
    runs.push_back(run(std::to_string(peak), 1.5 * simulated, simulated, peak));
  }
  const TypicalHours typical = typical_hours(runs, "none of them");
  CHECK(typical.weight == 1);
  CHECK_THAT(typical.factor, WithinRel(1.5, 1e-12));
  CHECK_THAT(typical.spread, WithinRel(1.0, 1e-12));
  CHECK_THAT(typical.of(run("new", 0, 30, 7)), WithinRel(45.0, 1e-12));
}

TEST_CASE("where runs have one utilisation, the simulation weighs nothing") {
  std::vector<RunHours> runs;
  for (const double peak : {10.0, 20.0, 40.0, 80.0, 160.0})
    runs.push_back(run(std::to_string(peak), 3 * peak, peak * (2 + std::fmod(peak, 7)), peak));
  const TypicalHours typical = typical_hours(runs, "none of them");
  CHECK(typical.weight == 0);
  CHECK_THAT(typical.of(run("new", 0, 1e6, 7)), WithinRel(21.0, 1e-12));
}

TEST_CASE("a family weighs as much as another, however many runs it has") {
  std::vector<RunHours> runs{run("a", 2, 1, 1), run("b", 2, 1, 1), run("c", 4, 1, 1)};
  for (int i = 0; i < 10; ++i) runs.push_back(run("large", 8, 1, 1));
  // Two of four families took 2, one 4 and one 8.
  CHECK_THAT(typical_hours(runs, "none of them", 0).factor, WithinRel(2.0, 1e-12));
}

TEST_CASE("the family that is predicted teaches nothing") {
  std::vector<RunHours> runs{run("a", 3, 1.5, 1), run("b", 6, 3.5, 2), run("c", 13, 7, 4)};
  const TypicalHours before = typical_hours(runs, "mine");
  runs.push_back(run("mine", 1e9, 2, 1));
  runs.push_back(run("mine", 1e-9, 2, 1));
  const TypicalHours after = typical_hours(runs, "mine");
  CHECK(after.weight == before.weight);
  CHECK(after.factor == before.factor);
  CHECK(after.spread == before.spread);
}

TEST_CASE("of runs that scatter, nine of ten new ones are within the spread") {
  std::mt19937 generator(1);
  std::normal_distribution<double> scatter(0, 0.4);
  const auto draw = [&](int i) {
    const double simulated = std::exp(5 + 2 * scatter(generator));
    return run(std::to_string(i), 1.3 * simulated * std::exp(scatter(generator)), simulated,
               simulated * std::exp(-1 + scatter(generator)));
  };
  std::vector<RunHours> runs;
  for (int i = 0; i < 60; ++i) runs.push_back(draw(i));
  const TypicalHours typical = typical_hours(runs, "none of them");
  int inside = 0;
  constexpr int all = 500;
  for (int i = 0; i < all; ++i) {
    const RunHours next = draw(1000 + i);
    const double miss = std::abs(std::log(typical.of(next) / next.stated));
    if (miss <= std::log(typical.spread)) ++inside;
  }
  CHECK(inside > 0.84 * all);
  CHECK(inside < 0.96 * all);
}

TEST_CASE("the spread is of a family more: of twelve that are known it is the widest miss") {
  std::vector<RunHours> runs{run("odd", 5, 1, 1)};
  for (int i = 0; i < 11; ++i) runs.push_back(run(std::to_string(i), 1, 1, 1));
  CHECK_THAT(typical_hours(runs, "none of them", 1).spread, WithinRel(5.0, 1e-12));
  for (int i = 11; i < 29; ++i) runs.push_back(run(std::to_string(i), 1, 1, 1));
  CHECK_THAT(typical_hours(runs, "none of them", 1).spread, WithinRel(1.0, 1e-12));
}

TEST_CASE("where no other family ran, hours are those between the simulated and the peak's") {
  const RunHours run{.family = "a", .stated = 50, .simulated = 40, .at_peak = 10};
  CHECK_THAT(typical_hours(std::vector{run}, "a", 0.5).of(run), WithinRel(20.0, 1e-12));
}
