#include "sim/scaling/knee.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Knee knee_of(std::string_view name, const std::vector<ScalingPoint>& points,
             const KneeOptions& options = {}) {
  for (const Knee& knee : knees_of(points, options))
    if (knee.name == name) return knee;
  FAIL("no knee " << name);
  return {};
}

}  // namespace

TEST_CASE("the gain of a doubling, by hand") {
  CHECK_THAT(gain_per_doubling({8, 100}, {16, 50}), WithinRel(1.0, 1e-12));
  CHECK_THAT(gain_per_doubling({8, 100}, {16, 80}), WithinRel(0.25, 1e-12));
  // Four times the accelerators are two doublings, with a gain of sqrt(2) each.
  CHECK_THAT(gain_per_doubling({8, 100}, {32, 50}), WithinRel(std::sqrt(2.0) - 1, 1e-12));
  CHECK(gain_per_doubling({8, 10}, {16, 11}) < 0);
}

TEST_CASE("the most speedup x efficiency, by hand") {
  // (T1/T)^2/N is 1, 1.580, 2.116, 1.772.
  const std::vector<ScalingPoint> points{{1, 64}, {2, 36}, {4, 22}, {8, 17}};
  const Knee knee = knee_of("product", points);
  CHECK(knee.accelerators == 4);
  CHECK_FALSE(knee.is_first);
  CHECK_FALSE(knee.is_last);
  // With w = 1 the minimum of time x cost is at the same size; with w = 0.5 T^3 N is 262144, 93312,
  // 42592, 39304.
  CHECK(knee_of("cost", points, {.least_gain = 0.3, .cost_weight = 1}).accelerators == 4);
  const Knee cheaper = knee_of("cost", points);
  CHECK(cheaper.accelerators == 8);
  CHECK(cheaper.is_last);
  CHECK(cheaper.between == 8);
}

TEST_CASE("linear scaling has its best at the end, none at the start") {
  const std::vector<ScalingPoint> linear{{8, 80}, {16, 40}, {32, 20}};
  CHECK(knee_of("product", linear).is_last);
  CHECK_FALSE(knee_of("gain", linear).accelerators);
  const std::vector<ScalingPoint> flat{{8, 80}, {16, 80}, {32, 80}};
  CHECK(knee_of("product", flat).accelerators == 8);
  CHECK(knee_of("product", flat).is_first);
  CHECK(knee_of("gain", flat).accelerators == 8);
  CHECK(knee_of("gain", flat).is_first);
}

TEST_CASE("between sizes: the vertex of a parabola, and where a line passes the share") {
  // 2 ln T + ln N = (log2 N - 4.25)^2 has its minimum at 2^4.25, whichever sizes are run.
  for (const std::vector<int>& sizes : {std::vector{8, 16, 32}, {4, 16, 128}}) {
    std::vector<ScalingPoint> points;
    for (const int n : sizes)
      points.push_back({n, std::exp((std::pow(std::log2(n) - 4.25, 2) - std::log(n)) / 2)});
    const Knee knee = knee_of("product", points);
    CHECK(knee.accelerators == 16);
    CHECK_THAT(knee.between, WithinRel(std::exp2(4.25), 1e-9));
  }
  // Gains are 2/3 at 8 and 0.2 at 16, so 0.3 is (2/3-0.3)/(2/3-0.2) = 0.7857 of the way in log2 N.
  const Knee gain = knee_of("gain", {{8, 100}, {16, 60}, {32, 50}, {64, 49}});
  CHECK(gain.accelerators == 16);
  CHECK_THAT(gain.between, WithinRel(std::exp2(3 + 0.785714285714), 1e-9));
}

TEST_CASE("the stated share and weight are the ones that count") {
  const std::vector<ScalingPoint> points{{8, 100}, {16, 60}, {32, 50}, {64, 49}};
  CHECK(knee_of("gain", points, {.least_gain = 0.1}).accelerators == 32);
  CHECK(knee_of("gain", points, {.least_gain = 0.8}).accelerators == 8);
  CHECK(knee_of("cost", points, {.cost_weight = 0}).accelerators == 64);  // the shortest time
  CHECK(knee_of("gain", points, {.least_gain = 0.1}).definition ==
        "the next doubling gains less than 10 %");
}
