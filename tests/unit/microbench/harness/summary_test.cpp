#include "microbench/harness/summary.hpp"

#include <cmath>
#include <numbers>
#include <span>

#include "microbench/harness/stopping.hpp"
#include "sim/core/random.hpp"
#include "sim/core/statistics.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

/// Deviations of normal noise in logarithms: one draw for each visit, and one for each sample.
struct Noise {
  double between;
  double within;
};

constexpr double true_median = 1e-5;

/// Rows of the Cholesky factor, one after the other, of the covariance of fractional Gaussian noise
/// with variance 1 (Beran, "Statistics for Long-Memory Processes", 1994, 2.3).
std::vector<double> kernel_of_fractional_noise(double hurst, std::size_t count) {
  const auto covariance = [&](std::size_t lag) {
    const auto k = static_cast<double>(lag);
    return (std::pow(k + 1, 2 * hurst) - 2 * std::pow(k, 2 * hurst) +
            std::pow(std::abs(k - 1), 2 * hurst)) /
           2;
  };
  std::vector<double> factor(count * count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = covariance(i - j);
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i * count + k] * factor[j * count + k];
      factor[i * count + j] = i == j ? std::sqrt(rest) : rest / factor[j * count + j];
    }
  return factor;
}

std::vector<double> fractional_noise(Random& random, const std::vector<double>& factor) {
  const auto count = static_cast<std::size_t>(std::lround(std::sqrt(factor.size())));
  std::vector<double> normal(count);
  for (double& each : normal) each = random.normal();
  std::vector<double> noise(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k <= i; ++k) noise[i] += factor[i * count + k] * normal[k];
  return noise;
}

/// Samples of visits. `slow` has each visit's noise in units of the deviation between visits.
std::vector<double> samples_of(Random& random, const std::vector<double>& slow, int size,
                               Noise noise) {
  std::vector<double> samples;
  for (const double each : slow)
    for (int i = 0; i < size; ++i)
      samples.push_back(true_median *
                        std::exp(noise.between * each + noise.within * random.normal()));
  return samples;
}

}  // namespace

TEST_CASE("a summary of visits that differ, by hand") {
  // Visits without inner noise have the medians 1/e, 1 and e: logarithms -1, 0, 1, with a deviation
  // of 1. All noise is between visits, so the median of all is less certain than a mean by the root
  // of pi/2. With two degrees of freedom t is (2p - 1) / sqrt(2p (1 - p)).
  const double e = std::numbers::e;
  const std::vector<double> samples{1 / e, 1 / e, 1, 1, e, e};
  const RecordSummary summary = summarize(samples, std::vector{2, 2, 2});
  CHECK(summary.median == 1);
  // If the variance of the mean goes with 3^-0.2, the three visits show (1 - 3^-0.2) 3 / 2 of it.
  const double of_mean = std::pow(3, -0.2);
  const double error = std::sqrt(of_mean / ((1 - of_mean) * 1.5));
  const double t = 0.95 / std::sqrt(2 * 0.975 * 0.025);
  const double width = t * std::sqrt(std::numbers::pi / 2) * error;
  CHECK_THAT(summary.interval.low, WithinRel(std::exp(-width), 1e-9));
  CHECK_THAT(summary.interval.high, WithinRel(std::exp(width), 1e-9));
  CHECK_THAT(summary.repeat.low, WithinRel(std::exp(-width * std::sqrt(2)), 1e-9));
  CHECK_THAT(summary.repeat.high, WithinRel(std::exp(width * std::sqrt(2)), 1e-9));
  CHECK_THAT(half_width(summary), WithinRel(std::sinh(width), 1e-9));
}

TEST_CASE("noise within visits is averaged as a mean of medians would") {
  // The medians are 0.99 and 1.01, and noise inside the visits is 60 times that, so almost no noise
  // is between them.
  const std::vector<double> samples{0.3, 0.99, 3, 0.3, 1.01, 3};
  const RecordSummary summary = summarize(samples, std::vector{3, 3});
  const double deviation = std::log(1.01 / 0.99) / std::sqrt(2);
  CHECK(summary.median == 1);
  const double of_mean = std::pow(2, -0.2);
  const double error = std::sqrt(of_mean / ((1 - of_mean) * 2));
  CHECK_THAT(std::log(summary.interval.high), WithinRel(12.706 * deviation * error, 1e-3));
}

TEST_CASE("a single visit stands on its fifths") {
  // Four fifths have two samples, and the last one has the rest: medians 1, e, 1, 1, e.
  const double e = std::numbers::e;
  const std::vector<double> samples{1, 1, e, e, 1, 1, 1, 1, 1, 1, e, e, e, e};
  const RecordSummary one = summarize(samples, std::vector{14});
  const RecordSummary five = summarize(samples, std::vector{2, 2, 2, 2, 6});
  CHECK(one.median == 1);
  CHECK(one.interval.high == five.interval.high);
  CHECK(one.interval.high > 2);
  CHECK(one.repeat.low == five.repeat.low);

  // One sample has no measured noise, so its interval is wide enough not to mislead.
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

TEST_CASE("95 % intervals hold a run 20 times as long and another run 95 times in 100") {
  // Noise ranges from independent visits to a long memory. The short run is the start of the long
  // one.
  constexpr int trials = 500;
  for (const double hurst : {0.5, 0.7, 0.85})
    for (const int visits : {5, 12})
      for (const Noise noise : {Noise{0.1, 0.005}, Noise{0.03, 0.03}}) {
        INFO(visits << " visits, Hurst exponent " << hurst << ", noise " << noise.between
                    << " between, " << noise.within << " within");
        const std::vector<int> sizes(static_cast<std::size_t>(visits), 10);
        const std::vector<int> many(20 * sizes.size(), 10);
        const std::vector<double> kernel = kernel_of_fractional_noise(hurst, many.size());
        Random random(20261121);
        int covered = 0;
        int repeated = 0;
        for (int trial = 0; trial < trials; ++trial) {
          const auto all = samples_of(random, fractional_noise(random, kernel), 10, noise);
          const std::span<const double> samples(all);
          const std::size_t length = 10 * sizes.size();
          const RecordSummary first = summarize(samples.first(length), sizes);
          const RecordSummary second = summarize(samples.subspan(length, length), sizes);
          if (first.interval.contains(median(samples))) ++covered;
          if (first.repeat.contains(second.median)) ++repeated;
        }
        CHECK(covered >= 0.95 * trials);
        CHECK(repeated >= 0.95 * trials);
        // Intervals are not so wide that they are useless: independent visits pay for the others.
        if (hurst == 0.85) CHECK(covered < trials);
      }
}

TEST_CASE("95 % intervals hold 95 times in 100 where the rule ends a point once it has settled") {
  // A point that looks settled after few visits may have been quiet by chance.
  constexpr int trials = 500;
  const StoppingRule rule;
  const auto most = static_cast<std::size_t>(rule.most_time / rule.visit_time);
  for (const double hurst : {0.5, 0.7, 0.85})
    for (const double between : {0.003, 0.01, 0.03}) {
      INFO("Hurst exponent " << hurst << ", noise " << between << " between visits");
      const std::vector<double> kernel = kernel_of_fractional_noise(hurst, most);
      Random random(20261124);
      int covered = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const auto slow = fractional_noise(random, kernel);
        const auto samples = samples_of(random, slow, 3, {.between = between, .within = 0.001});
        std::size_t visits = 0;
        RecordSummary summary;
        do {
          ++visits;
          summary = summarize(std::span(samples).first(3 * visits), std::vector(visits, 3));
        } while (!rule.is_enough(static_cast<int>(visits),
                                 static_cast<double>(visits) * rule.visit_time,
                                 half_width(summary)));
        if (summary.interval.contains(true_median)) ++covered;
      }
      CHECK(covered >= 0.95 * trials);
    }
}
