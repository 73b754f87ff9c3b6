#include "microbench/harness/summary.hpp"

#include <cmath>
#include <numbers>

#include "sim/core/random.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

/// Normal noise of logarithms: one draw a visit, and one a sample.
struct Noise {
  double between;
  double within;
};

constexpr double true_median = 1e-5;

std::vector<double> samples_of(Random& random, const std::vector<int>& visits, Noise noise) {
  std::vector<double> samples;
  for (const int size : visits) {
    const double slow = noise.between * random.normal();
    for (int i = 0; i < size; ++i)
      samples.push_back(true_median * std::exp(slow + noise.within * random.normal()));
  }
  return samples;
}

}  // namespace

TEST_CASE("a summary of visits that differ, by hand") {
  // Visits without noise of their own, whose medians are 1/e, 1 and e: logarithms -1, 0, 1, whose
  // deviation is 1. All noise lies between visits, so that the median of all is less sure than a
  // mean by the root of pi/2. Two degrees of freedom: t = 4.303.
  const double e = std::numbers::e;
  const std::vector<double> samples{1 / e, 1 / e, 1, 1, e, e};
  const RecordSummary summary = summarize(samples, std::vector{2, 2, 2});
  CHECK(summary.median == 1);
  const double width = 4.303 * std::sqrt(std::numbers::pi / 2) / std::sqrt(3);
  CHECK_THAT(summary.interval.low, WithinRel(std::exp(-width), 1e-9));
  CHECK_THAT(summary.interval.high, WithinRel(std::exp(width), 1e-9));
  CHECK_THAT(summary.repeat.low, WithinRel(std::exp(-width * std::sqrt(2)), 1e-9));
  CHECK_THAT(summary.repeat.high, WithinRel(std::exp(width * std::sqrt(2)), 1e-9));
  CHECK_THAT(half_width(summary), WithinRel(std::sinh(width), 1e-9));
}

TEST_CASE("noise within visits is averaged as a mean of medians would") {
  // Medians 0.99 and 1.01, and inside the visits noise 60 times that: nearly nothing lies between.
  const std::vector<double> samples{0.3, 0.99, 3, 0.3, 1.01, 3};
  const RecordSummary summary = summarize(samples, std::vector{3, 3});
  const double deviation = std::log(1.01 / 0.99) / std::sqrt(2);
  CHECK(summary.median == 1);
  CHECK_THAT(std::log(summary.interval.high), WithinRel(12.706 * deviation / std::sqrt(2), 1e-3));
}

TEST_CASE("a single visit stands on its fifths") {
  // Four fifths of two samples, the last one with the rest: medians 1, e, 1, 1, e.
  const double e = std::numbers::e;
  const std::vector<double> samples{1, 1, e, e, 1, 1, 1, 1, 1, 1, e, e, e, e};
  const RecordSummary one = summarize(samples, std::vector{14});
  const RecordSummary five = summarize(samples, std::vector{2, 2, 2, 2, 6});
  CHECK(one.median == 1);
  CHECK(one.interval.high == five.interval.high);
  CHECK(one.interval.high > 2);
  CHECK(one.repeat.low == five.repeat.low);

  // One sample says nothing of its noise: an interval wide enough not to mislead.
  const RecordSummary alone = summarize(std::vector{3.0}, std::vector{1});
  CHECK(alone.median == 3);
  CHECK(alone.interval.contains(0.1));
  CHECK(alone.interval.contains(90));
}

TEST_CASE("samples without noise have intervals without width") {
  const RecordSummary summary = summarize(std::vector<double>(12, 2e-6), std::vector{6, 6});
  CHECK(summary.interval.low == 2e-6);
  CHECK(summary.interval.high == 2e-6);
  CHECK(half_width(summary) == 0);
}

TEST_CASE("95 % intervals cover the true median and another run's in 92 to 98 % of trials") {
  constexpr int trials = 2000;
  for (const int visits : {5, 8, 25})
    for (const Noise noise : {Noise{0.1, 0.005}, Noise{0.03, 0.03}, Noise{0.01, 0.1}}) {
      INFO(visits << " visits, noise " << noise.between << " between, " << noise.within
                  << " within");
      const std::vector<int> sizes(static_cast<std::size_t>(visits), 10);
      Random random(20261121);
      int covered = 0;
      int repeated = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const RecordSummary first = summarize(samples_of(random, sizes, noise), sizes);
        const RecordSummary second = summarize(samples_of(random, sizes, noise), sizes);
        if (first.interval.contains(true_median)) ++covered;
        if (first.repeat.contains(second.median)) ++repeated;
      }
      CHECK(covered >= 0.92 * trials);
      CHECK(covered <= 0.98 * trials);
      CHECK(repeated >= 0.92 * trials);
      CHECK(repeated <= 0.98 * trials);
    }
}
