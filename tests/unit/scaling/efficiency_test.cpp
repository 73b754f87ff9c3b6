#include "sim/scaling/efficiency.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("speedup and relative efficiency, by hand") {
  const ScalingPoint reference{.accelerators = 4, .minutes = 60};
  const ScalingPoint larger{.accelerators = 32, .minutes = 10};
  CHECK(speedup(larger, reference) == 6);
  CHECK(relative_efficiency(larger, reference) == 0.75);  // 6 times as fast on 8 times as many
  CHECK(relative_efficiency(reference, reference) == 1);
  const ScalingPoint smaller{.accelerators = 2, .minutes = 90};
  CHECK_THAT(relative_efficiency(smaller, reference), WithinRel(4.0 / 3, 1e-12));
}

TEST_CASE("the reference has the fewest accelerators, and of those is the slowest") {
  const std::array points{ScalingPoint{8, 5}, ScalingPoint{2, 300}, ScalingPoint{2, 366},
                          ScalingPoint{2, 320}, ScalingPoint{64, 900}};
  const ScalingPoint found = reference_point(points);
  CHECK(found.accelerators == 2);
  CHECK(found.minutes == 366);
}

TEST_CASE("linear scaling divides the median score") {
  CHECK(linear_scaling_minutes(std::array{10.0, 20.0, 12.0}, 8, 64) == 1.5);
  CHECK(linear_scaling_minutes(std::array{10.0, 14.0}, 8, 4) == 24.0);
  CHECK_FALSE(linear_scaling_minutes({}, 8, 64));
}

TEST_CASE("scaling efficiency is against the median of the base") {
  const ScalingPoint point{.accelerators = 64, .minutes = 2};
  CHECK(scaling_efficiency(point, std::array{10.0, 12.0, 20.0}, 8) == 0.75);  // 12/8 over 2
  CHECK_FALSE(scaling_efficiency(point, {}, 8));
  // E(N)/E(N_base) does not depend on the reference.
  const ScalingPoint base{.accelerators = 8, .minutes = 12};
  const ScalingPoint any{.accelerators = 2, .minutes = 100};
  CHECK_THAT(efficiency(point, any) / efficiency(base, any), WithinRel(0.75, 1e-12));
  CHECK(efficiency(base, base) == 0.125);
}
