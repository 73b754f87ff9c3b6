#include <cmath>
#include <functional>

#include "microbench/harness/summary.hpp"
#include "sim/core/random.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

using Draw = std::function<double(Random&)>;

std::vector<double> drawn(const Draw& draw, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(draw(random));
  return samples;
}

bool is_bimodal(const std::vector<double>& samples) {
  for (const std::string& flag : flags_of(samples))
    if (flag.starts_with("bimodal")) return true;
  return false;
}

/// Number of 200 random sets in which two modes are found.
int times_bimodal(const Draw& draw, int count) {
  int times = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) times += is_bimodal(drawn(draw, count, seed));
  return times;
}

/// Draws from two modes, the slow one `ratio` times the quick one, each with 3 % of normal noise.
Draw mixture(double share_quick, double ratio) {
  return [=](Random& random) {
    return 18e-6 * (random.uniform() < share_quick ? 1 : ratio) * std::exp(0.03 * random.normal());
  };
}

}  // namespace

TEST_CASE("two modes are found") {
  CHECK(times_bimodal(mixture(0.3, 2.5), 200) == 200);
  CHECK(times_bimodal(mixture(0.7, 1.3), 200) == 200);
  CHECK(times_bimodal(mixture(0.85, 4), 1000) == 200);
  CHECK(times_bimodal(mixture(0.5, 1.5), 40) > 190);
}

TEST_CASE("two modes are named with shares and places") {
  std::vector<double> samples(30, 18e-6);
  samples.insert(samples.end(), 70, 45e-6);
  samples[3] = 18.2e-6;
  samples[50] = 45.3e-6;
  CHECK(flags_of(samples) == std::vector<std::string>{"bimodal: 30 % near 18 us, 70 % near 45 us"});
}

TEST_CASE("modes too close or too small to mislead are not named") {
  std::vector<double> close(50, 1.0);
  close.insert(close.end(), 50, 1.09);
  CHECK_FALSE(is_bimodal(close));
  std::vector<double> apart(50, 1.0);
  apart.insert(apart.end(), 50, 1.11);
  CHECK(is_bimodal(apart));
  std::vector<double> few(950, 1.0);
  few.insert(few.end(), 50, 2.0);
  CHECK_FALSE(is_bimodal(few));
}

TEST_CASE("one mode of whatever shape is not taken for two") {
  const Draw normal = [](Random& random) { return 1 + 0.05 * random.normal(); };
  const Draw lognormal = [](Random& random) { return std::exp(0.5 * random.normal()); };
  const Draw uniform = [](Random& random) { return 1 + random.uniform(); };
  const Draw exponential = [](Random& random) { return 1 - 0.2 * std::log(random.uniform()); };
  const Draw pareto = [](Random& random) { return std::pow(random.uniform(), -1 / 1.5); };
  for (const Draw& draw : {normal, lognormal, uniform, exponential, pareto}) {
    CHECK(times_bimodal(draw, 15) == 0);   // no two groups of any width
    CHECK(times_bimodal(draw, 40) <= 20);  // at most one in ten by chance
    CHECK(times_bimodal(draw, 500) <= 1);
  }
}

TEST_CASE("outliers are counted") {
  // The quartiles of twenty-two sorted samples are at positions 5.25 and 15.75 of 21: 5.25 and
  // 15.75. Their range is 10.5, so the fence is at 15.75 + 31.5 = 47.25.
  std::vector<double> samples;
  for (int i = 0; i < 20; ++i) samples.push_back(i);
  samples.push_back(47.2);
  samples.push_back(47.3);
  CHECK(count_outliers(samples) == 1);
  samples[20] = 100;
  CHECK(count_outliers(samples) == 2);
  samples[0] = 1e-9;  // a sample that is too quick raises no flag
  CHECK(count_outliers(samples) == 2);

  std::vector<double> few(9, 1.0);
  few[0] = 1000;
  CHECK(count_outliers(few) == 0);
  few.push_back(1.0);
  CHECK(count_outliers(few) == 1);
}

TEST_CASE("outliers are named") {
  std::vector<double> samples(100, 10e-6);
  samples[7] = 2.4e-3;
  samples[93] = 60e-6;
  CHECK(flags_of(samples) ==
        std::vector<std::string>{"outliers: 2 of 100 above 10 us, the largest 2.4 ms"});
  CHECK(flags_of(std::vector<double>(100, 10e-6)).empty());
}
