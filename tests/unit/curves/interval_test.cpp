#include "sim/curves/interval.hpp"

#include <cmath>
#include <map>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Samples of 2 us and 5 ns a byte, at sizes eight times apart.
Samples on_a_line(int count) {
  Samples samples;
  for (double size = 1024; count > 0; size *= 8, --count)
    samples.sound.push_back({size, 2e-6 + 5e-9 * size});
  return samples;
}

const CurveForm interpolation{.name = "interpolation", .predict = predict_interpolation};

}  // namespace

TEST_CASE("each row is held out once there are three") {
  CHECK(held_out_errors(interpolation, on_a_line(2).sound).empty());
  const auto errors = held_out_errors(interpolation, on_a_line(3).sound);
  REQUIRE(errors.size() == 3);
  for (const double error : errors) CHECK(error < 0.2);  // the ends are extrapolated
}

TEST_CASE("in a gap an interval is wider than at its rows, and as wide from either side") {
  Samples bent;  // at 2^10, 2^13, 2^16 and 2^19 bytes
  for (const auto& [octave, time] : std::map<int, double>{{10, 1}, {13, 1}, {16, 2}, {19, 8}})
    bent.sound.push_back({std::exp2(octave), time});
  const auto widths = interval_widths(interpolation, bent);
  const auto at = [&](double octave) {
    return widths[static_cast<std::size_t>(octave * CostCurve::steps_per_octave)];
  };
  CHECK(at(14) > at(13));
  CHECK(at(14.5) > at(14));
  for (const double inward : {0.0, 0.5, 1.0, 1.25})
    CHECK_THAT(at(16 - inward), WithinRel(at(13 + inward), 1e-9));
}

TEST_CASE("far beyond two rows an interval is wider than beyond three") {
  const auto two = interval_widths(interpolation, on_a_line(2));
  const auto three = interval_widths(interpolation, on_a_line(3));
  CHECK(two.front() > 2 * three.front());
  CHECK(two.back() > 2 * three.back());
}
