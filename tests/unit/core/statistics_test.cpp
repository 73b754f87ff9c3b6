#include "sim/core/statistics.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {
const std::vector<double> five{9, 1, 4, 2, 4};
}

TEST_CASE("centres of a sample") {
  CHECK(mean(five) == 4);
  CHECK(median(five) == 4);
  CHECK(median(std::vector<double>{1, 2, 4, 9}) == 3);
  CHECK_THAT(olympic_mean(five), WithinRel(10.0 / 3, 1e-15));  // without 1 and 9
  CHECK(olympic_mean(std::vector<double>{7, 7, 7}) == 7);
  CHECK(olympic_mean(std::vector<double>{1, 2}) == 1.5);
}

TEST_CASE("quantiles are linear between neighbours") {
  CHECK(quantile(five, 0) == 1);
  CHECK(quantile(five, 1) == 9);
  CHECK(quantile(five, 0.25) == 2);
  CHECK_THAT(quantile(five, 0.9), WithinRel(7.0, 1e-12));  // position 3.6 between 4 and 9
  CHECK(quantile(std::vector<double>{3}, 0.3) == 3);
}

TEST_CASE("the standard deviation divides by n - 1") {
  // Squared deviations: 25 + 9 + 0 + 4 + 0 = 38, over 4.
  CHECK_THAT(standard_deviation(five), WithinRel(std::sqrt(9.5), 1e-15));
  CHECK(standard_deviation(std::vector<double>{3}) == 0);
}

TEST_CASE("a central interval leaves the same share out on both sides") {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(i);
  const Interval interval = central_interval(values, 0.9);
  CHECK_THAT(interval.low, WithinRel(5.0, 1e-12));
  CHECK_THAT(interval.high, WithinRel(95.0, 1e-12));
  CHECK(interval.contains(95 - 1e-9));
  CHECK_FALSE(interval.contains(96));
  CHECK_THAT(ninety_percent_interval(values).low, WithinRel(5.0, 1e-12));
  CHECK_THAT(ninety_percent_interval(values).high, WithinRel(95.0, 1e-12));
}

TEST_CASE("quantiles of Student's t") {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
  CHECK_THAT(student_quantile(0.95, 1), WithinAbs(6.314, 0.0005));
  CHECK_THAT(student_quantile(0.95, 2), WithinAbs(2.920, 0.0005));
  CHECK_THAT(student_quantile(0.95, 7), WithinAbs(1.895, 0.0005));
  CHECK_THAT(student_quantile(0.975, 10), WithinAbs(2.228, 0.0005));
  CHECK_THAT(student_quantile(0.995, 29), WithinAbs(2.756, 0.0005));
  CHECK_THAT(student_quantile(0.05, 7), WithinAbs(-1.895, 0.0005));
  CHECK_THAT(student_quantile(0.95, 1000), WithinAbs(normal_quantile(0.95), 0.002));
}

TEST_CASE("Student's t at the share of a normal value is its quantile at that share") {
  for (const double share : {0.55, 0.75, 0.9, 0.95, 0.99, 0.998})
    for (const int freedom : {3, 5, 30}) {
      CAPTURE(share, freedom);
      const double t = student_deviation(normal_quantile(share), freedom);
      CHECK(t == Approx(student_quantile(share, freedom)).epsilon(freedom == 3 ? 0.03 : 0.004));
      CHECK(student_deviation(-normal_quantile(share), freedom) == -t);
    }
  CHECK(student_deviation(1.5, std::numeric_limits<double>::infinity()) == 1.5);
}
