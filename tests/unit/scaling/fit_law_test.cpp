#include "sim/scaling/fit_law.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Law& law_named(std::string_view name) {
  for (const Law& law : laws())
    if (law.name == name) return law;
  FAIL("no law " << name);
  return laws().front();
}

std::vector<ScalingPoint> series_of(double (*minutes)(double), int last = 1024) {
  std::vector<ScalingPoint> points;
  for (int n = 8; n <= last; n *= 2) points.push_back({n, minutes(n)});
  return points;
}

struct KnownLaw {
  const char* name;
  double (*minutes)(double n);
  std::vector<double> parameters;
};

/// Laws written out a second time, with the parameters to find.
const std::vector<KnownLaw>& known_laws() {
  static const std::vector<KnownLaw> known{
      {"amdahl", [](double n) { return 200 / (1 / (0.01 + 0.99 / n)); }, {200, 0.01}},
      {"gustafson", [](double n) { return 50 / (n - 0.25 * (n - 1)); }, {50, 0.25}},
      {"universal",
       [](double n) { return 100 * (1 + 0.002 * (n - 1) + 1e-6 * n * (n - 1)) / n; },
       {100, 0.002, 1e-6}},
      {"affine-log", [](double n) { return 30 + 0.002 * n - 4 * std::log(n); }, {30, 0.002, -4}},
      {"communication",
       [](double n) { return 400 / n + 0.5 + 0.1 * std::log(n) / std::log(2.0); },
       {400, 0.5, 0.1}},
  };
  return known;
}

}  // namespace

TEST_CASE("each law finds the parameters that a series was made with, and foretells larger sizes") {
  REQUIRE(known_laws().size() == laws().size());
  for (const KnownLaw& known : known_laws()) {
    INFO(known.name);
    const auto points = series_of(known.minutes);
    const auto fits = fit_laws(points);
    REQUIRE(fits.size() == laws().size());
    for (const LawFit& fit : fits) {
      if (fit.law->name != known.name) continue;
      for (std::size_t i = 0; i < known.parameters.size(); ++i)
        CHECK_THAT(fit.parameters[i].value, WithinRel(known.parameters[i], 1e-6));
      CHECK(fit.error.worst < 1e-9);
      REQUIRE(fit.held_out);
      CHECK(fit.held_out->largest_seen == 256);  // two of 8 sizes are held out
      CHECK(fit.held_out->error.count == 2);
      CHECK(fit.held_out->error.worst < 1e-6);
    }
  }
}

TEST_CASE("held-out sizes do not teach the fit that is scored on them") {
  auto points = series_of([](double n) { return 400 / n; });
  points.back().minutes *= 3;  // only the largest size breaks the law
  const auto fits = fit_laws(points);
  REQUIRE(fits.front().law->name == "amdahl");
  REQUIRE(fits.front().held_out);
  // 400/1024 against three times that is a miss of 2/3; the size before it is exact.
  CHECK_THAT(fits.front().held_out->error.worst, WithinRel(2.0 / 3, 1e-6));
  CHECK_THAT(fits.front().held_out->error.mean, WithinRel(1.0 / 3, 1e-6));
  CHECK(fits.front().error.worst < 2.0 / 3);  // the fit to all sizes includes it
}

TEST_CASE("an interval is that of linear least squares where the law is linear") {
  // T = A/N + B (N-1)/N is Amdahl's law with A = T1, B = T1 s. Least squares of T/T_i - 1 by hand.
  const std::vector<ScalingPoint> points{{8, 30}, {16, 16}, {32, 9}, {64, 5.5}, {128, 4}};
  double xx = 0;
  double xy = 0;
  double yy = 0;
  double x1 = 0;
  double y1 = 0;
  for (const ScalingPoint& p : points) {
    const double x = 1.0 / p.accelerators / p.minutes;
    const double y = (p.accelerators - 1.0) / p.accelerators / p.minutes;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    x1 += x;
    y1 += y;
  }
  const double determinant = xx * yy - xy * xy;
  const double a = (x1 * yy - y1 * xy) / determinant;
  const double b = (y1 * xx - x1 * xy) / determinant;
  double left = 0;
  for (const ScalingPoint& p : points)
    left += std::pow((a + b * (p.accelerators - 1)) / p.accelerators / p.minutes - 1, 2);
  const double deviation = std::sqrt(left / 3 * yy / determinant);

  const auto fit = fit_law(law_named("amdahl"), points);
  REQUIRE(fit);
  CHECK_THAT(fit->parameters[0].value, WithinRel(a, 1e-7));
  CHECK_THAT(fit->parameters[1].value, WithinRel(b / a, 1e-6));
  REQUIRE(fit->parameters[0].interval);
  // The 95 % quantile of Student's t with three degrees of freedom is 2.353.
  CHECK_THAT(fit->parameters[0].interval->high - a, WithinRel(2.353 * deviation, 1e-3));
  CHECK_THAT(a - fit->parameters[0].interval->low, WithinRel(2.353 * deviation, 1e-3));
}

TEST_CASE("a law needs as many sizes as parameters, and more for an interval") {
  const std::vector<ScalingPoint> two{{8, 10}, {16, 6}};
  const auto fit = fit_law(law_named("amdahl"), two);
  REQUIRE(fit);
  CHECK_FALSE(fit->parameters[0].interval);
  CHECK_THAT(fit->minutes(16), WithinRel(6.0, 1e-9));
  CHECK_FALSE(fit_law(law_named("universal"), two));
  // Two systems of one size count as one size.
  const std::vector<ScalingPoint> twice{{8, 10}, {8, 11}};
  CHECK_FALSE(fit_law(law_named("amdahl"), twice));
  CHECK(fit_laws({}).empty());
}

TEST_CASE("no two laws are one curve under two names") {
  for (const KnownLaw& known : known_laws()) {
    std::vector<std::string_view> exact;
    for (const LawFit& fit : fit_laws(series_of(known.minutes)))
      // The universal law holds that of Amdahl, with another parameter.
      if (fit.error.worst < 1e-6 && fit.parameters.size() == known.parameters.size())
        exact.push_back(fit.law->name);
    CHECK(exact == std::vector<std::string_view>{known.name});
  }
}
