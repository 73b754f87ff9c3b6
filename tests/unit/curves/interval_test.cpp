#include "sim/curves/interval.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// 2 us and 5 ns a byte, at sizes eight times apart.
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

TEST_CASE("far beyond two rows an interval is wider than beyond three") {
  const auto two = interval_widths(interpolation, on_a_line(2));
  const auto three = interval_widths(interpolation, on_a_line(3));
  CHECK(two.front() > 2 * three.front());
  CHECK(two.back() > 2 * three.back());
}
