#include "sim/core/accuracy.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr double z90 = 1.644854;  // standard normal quantiles of 95, 90 and 75 %
constexpr double z80 = 1.281552;
constexpr double z50 = 0.674490;

}  // namespace

TEST_CASE("intervals of a log-normal prediction lie a quantile of deviations away") {
  const Scored scored = log_normal(1, 2, 0.1);
  const auto& intervals = scored.intervals.value();
  CHECK_THAT(intervals[0].high, WithinRel(2 * std::exp(0.1 * z50), 1e-5));
  CHECK_THAT(intervals[1].low, WithinRel(2 / std::exp(0.1 * z80), 1e-5));
  CHECK_THAT(intervals[2].high, WithinRel(2 * std::exp(0.1 * z90), 1e-5));
}

TEST_CASE("intervals of a prediction that scatters as Student's t have its quantiles") {
  const auto intervals = log_student(1, 2, 0.1, 5).intervals.value();
  CHECK_THAT(intervals[0].high, WithinRel(2 * std::exp(0.1 * 0.7267), 1e-4));
  CHECK_THAT(intervals[2].low, WithinRel(2 / std::exp(0.1 * 2.015), 1e-4));
}

TEST_CASE("of a 90 % interval the others have their share on either side") {
  const Scored scored = within(1, 10, {5, 40});
  const auto& intervals = scored.intervals.value();
  CHECK_THAT(intervals[2].low, WithinRel(5, 1e-9));
  CHECK_THAT(intervals[2].high, WithinRel(40, 1e-9));
  CHECK_THAT(intervals[0].high, WithinRel(10 * std::pow(4, z50 / z90), 1e-5));
  CHECK_THAT(intervals[0].low, WithinRel(10 * std::pow(0.5, z50 / z90), 1e-5));
}

// Predictions of 1, 1.1, 0.8 and 1.5 for 1 have errors of 0, 10, -20 and 50 %.
TEST_CASE("accuracy sums up errors, coverage, width and interval score") {
  std::vector<Scored> all;
  for (const double predicted : {1.0, 1.1, 0.8, 1.5}) all.push_back(log_normal(1, predicted, 0.1));
  const Accuracy accuracy = accuracy_of(all);
  CHECK(accuracy.count == 4);
  CHECK_THAT(accuracy.mean, WithinRel(0.2, 1e-9));
  CHECK_THAT(accuracy.median, WithinRel(0.15, 1e-9));
  CHECK_THAT(accuracy.bias, WithinRel(0.1, 1e-9));
  const Held& held = accuracy.held.value();
  CHECK_THAT(held.shares[0], WithinRel(0.25, 1e-9));  // ln 1.1 = 0.095 > 0.067
  CHECK_THAT(held.shares[1], WithinRel(0.5, 1e-9));
  CHECK_THAT(held.shares[2], WithinRel(0.5, 1e-9));  // ln 0.8 = -0.223, and the end is at 0.164
  CHECK_THAT(held.half_width, WithinRel(std::exp(0.1 * z90) - 1, 1e-5));
  const double reach = 0.1 * z90;
  const double outside = std::log(1 / 0.8) - reach + std::log(1.5) - reach;
  CHECK_THAT(held.score, WithinRel(2 * reach + 20 * outside / 4, 1e-5));
}

TEST_CASE("one width for all is the one that nine of ten errors keep") {
  std::vector<Scored> all;
  for (int i = 0; i <= 10; ++i) all.push_back(log_normal(1, std::exp(0.1 * i), 1));
  // The 90 % quantile of 0, 0.1, ... 1 is 0.9, and one error lies 0.1 beyond it.
  CHECK_THAT(accuracy_of(all).held->score_of_one_width, WithinRel(1.8 + 20 * 0.1 / 11, 1e-9));
}

TEST_CASE("accuracy of predictions without intervals has errors alone") {
  CHECK_FALSE(accuracy_of(std::vector<Scored>{{.measured = 2, .predicted = 1}}).held);
}

TEST_CASE("errors are summed up by size, whatever their sign") {
  const Accuracy summary = accuracy_of(std::array{-0.10, 0.25, 0.04});
  CHECK(summary.count == 3);
  CHECK_THAT(summary.mean, WithinRel(0.13, 1e-12));
  CHECK(summary.median == 0.10);
  CHECK(summary.worst == 0.25);
  CHECK_THAT(summary.ninetieth, WithinRel(0.22, 1e-12));  // 0.10 + 0.8 x 0.15
  CHECK_THAT(summary.bias, WithinRel(0.19 / 3, 1e-12));
  CHECK(accuracy_of(std::array{-0.3}).worst == 0.3);
  CHECK(accuracy_of(std::vector<double>{}).count == 0);
}
