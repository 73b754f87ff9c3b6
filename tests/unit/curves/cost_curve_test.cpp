#include "sim/curves/cost_curve.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/curves/known_tables.hpp"

namespace tofn {

namespace {

using test::microseconds;
using test::WithinRel;

/// Points of 1 us up to 1 KiB, then proportional to size, with an interval of 10 % up and down.
std::vector<CurvePoint> bent_line() {
  std::vector<CurvePoint> points;
  for (int point = 0; point < CostCurve::points; ++point) {
    const double size = CostCurve::size_of(point);
    points.push_back({std::log(1e-6 * std::max(1.0, size / 1024)), std::log(1.1)});
  }
  return points;
}

}  // namespace

TEST_CASE("a curve answers with its table, between points too") {
  const CostCurve curve(bent_line(), {8, 4096});
  CHECK_THAT(microseconds(curve.at(100_B).time), WithinRel(1.0, 1e-9));
  CHECK_THAT(microseconds(curve.at(5000_B).time), WithinRel(5000.0 / 1024, 1e-9));
  CHECK_THAT(microseconds(curve.at(5000_B).low), WithinRel(5000.0 / 1024 / 1.1, 1e-9));
  CHECK_THAT(microseconds(curve.at(5000_B).high), WithinRel(5000.0 / 1024 * 1.1, 1e-9));
}

TEST_CASE("a curve says what an answer rests on") {
  const CostCurve curve(bent_line(), {8, 4096});
  CHECK(curve.at(8_B).basis == Basis::Measured);
  CHECK(curve.at(9_B).basis == Basis::Interpolated);
  CHECK(curve.at(4096_B).basis == Basis::Measured);
  CHECK(curve.at(7_B).basis == Basis::Extrapolated);
  CHECK(curve.at(4097_B).basis == Basis::Extrapolated);
  const CostCurve weaker(bent_line(), {8, 4096}, Basis::Interpolated);
  CHECK(weaker.at(8_B).basis == Basis::Interpolated);
  CHECK(weaker.at(7_B).basis == Basis::Extrapolated);
}

TEST_CASE("sizes outside the table get the answers of its ends") {
  const CostCurve curve(bent_line(), {8});
  CHECK(curve.at(0_B).time == curve.at(1_B).time);
  CHECK(curve.at(Bytes{1e20}).time == curve.at(Bytes{std::exp2(CostCurve::octaves)}).time);
}

TEST_CASE("a fall is levelled and widens the interval") {
  std::vector<CurvePoint> points = bent_line();
  points[24].time += 0.2;  // 8 B and 8 more points of 1 us: the mean of nine is 0.2 / 9 above
  for (std::size_t i = 33; i < points.size(); ++i) points[i].time += 1;
  const CurveAnswer answer = CostCurve(points, {8}).at(8_B);
  CHECK_THAT(microseconds(answer.time), WithinRel(std::exp(0.2 / 9), 1e-9));
  CHECK_THAT(answer.high / answer.time,
             WithinRel(std::exp(std::hypot(std::log(1.1), 1.6 / 9)), 1e-9));
}

TEST_CASE("a curve says how far an answer lies beyond what was measured") {
  const CostCurve curve(bent_line(), {8, 4096});
  CHECK(curve.at(8_B).beyond == 1);
  CHECK(curve.at(100_B).beyond == 1);
  CHECK(curve.at(2_B).beyond == 4);
  CHECK(curve.at(20480_B).beyond == 5);
  const CostCurve on_more_nodes(bent_line(), {8, 4096}, Basis::Extrapolated, 3);
  CHECK(on_more_nodes.at(100_B).beyond == 3);
  CHECK(on_more_nodes.at(20480_B).beyond == 5);
}

}  // namespace tofn
