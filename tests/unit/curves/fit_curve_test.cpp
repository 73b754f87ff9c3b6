#include "sim/curves/fit_curve.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/random.hpp"
#include "tests/catch.hpp"
#include "tests/unit/curves/known_tables.hpp"

namespace tofn {

namespace {

using test::microseconds;
using test::rows_of;
using test::table_of;
using test::TimedSize;
using test::WithinRel;

// Dell XE9680, 2 x 8 H100 SXM, NDR 400, in place: github.com/NVIDIA/nccl-tests/issues/309.
const std::vector<TimedSize> dell{{8, 24.70},          {64, 25.21},        {512, 26.31},
                                  {4096, 29.72},       {32768, 33.47},     {131072, 38.12},
                                  {524288, 70.33},     {2097152, 76.62},   {8388608, 131.4},
                                  {33554432, 267.7},   {134217728, 749.2}, {536870912, 2355.1},
                                  {2147483648, 8717.2}};

double plain_law(double bytes) { return 20 + bytes / 1e5; }

bool never_falls(const CostCurve& curve) {
  return std::is_sorted(curve.table().begin(), curve.table().end(),
                        [](const CurvePoint& a, const CurvePoint& b) { return a.time < b.time; });
}

/// Rows at random sizes around a random law, with spikes, steps up and down, and noise.
std::vector<TimedSize> random_rows(Random& random) {
  std::vector<TimedSize> rows;
  const double latency = std::exp(6 * random.uniform());
  const double per_byte = std::exp(-14 * random.uniform());
  const int count = 1 + static_cast<int>(24 * random.uniform());
  double bytes = 1 + 1e4 * random.uniform();
  for (int i = 0; i < count; ++i) {
    const double noise = std::exp(random.normal() * (random.uniform() < 0.1 ? 1.5 : 0.1));
    rows.push_back({std::floor(bytes), (latency + per_byte * bytes) * noise});
    bytes *= 1.1 + 4 * random.uniform();
  }
  return rows;
}

}  // namespace

TEST_CASE("latency and bandwidth are recovered between and beyond rows") {
  const CurveFit fit = fit_curve(table_of(rows_of(plain_law, 10, 26, 4)));
  for (const double bytes : {10.0, 2048.0, 1e5, 12345678.0, 1e10}) {
    CHECK_THAT(microseconds(fit.curve.at(Bytes{bytes}).time), WithinRel(plain_law(bytes), 0.002));
  }
}

TEST_CASE("a measured size answers what was measured") {
  const CurveFit fit = fit_curve(table_of(dell));
  for (const TimedSize& row : dell) {
    const CurveAnswer answer = fit.curve.at(Bytes{row.bytes});
    CHECK(answer.basis == Basis::Measured);
    CHECK_THAT(microseconds(answer.time), WithinRel(row.microseconds, 1e-6));
  }
}

TEST_CASE("rows of a real table that the curve has not seen lie near it and inside its interval") {
  const CurveFit fit = fit_curve(table_of(dell));
  // Other rows of the same log.
  const std::vector<TimedSize> unseen{{1024, 26.65},      {65536, 33.08},    {4194304, 94.22},
                                      {16777216, 183.8},  {67108864, 466.1}, {268435456, 1276.0},
                                      {4294967296, 17262}};
  for (const TimedSize& row : unseen) {
    const CurveAnswer answer = fit.curve.at(Bytes{row.bytes});
    CHECK_THAT(microseconds(answer.time), WithinRel(row.microseconds, 0.10));
    CHECK(microseconds(answer.low) <= row.microseconds);
    CHECK(microseconds(answer.high) >= row.microseconds);
  }
}

TEST_CASE("every form's error on held-out rows is kept") {
  const CurveFit fit = fit_curve(table_of(dell));
  REQUIRE(fit.candidates.size() == 5);
  CHECK(fit.candidates[0].form == "interpolation");
  for (const HeldOutError& error : fit.candidates) {
    CHECK(error.median > 0);
    CHECK(error.median <= error.ninetieth);
  }
}

TEST_CASE("a form that foretells held-out rows far better than interpolation is taken") {
  // Between rows 16 times apart, this law is far from a line around its bend.
  const auto bent = [](double bytes) { return 10 + 1000 * bytes / (bytes + 4096) + bytes / 1e4; };
  const CurveFit fit = fit_curve(table_of(rows_of(bent, 0, 32, 4)));
  CHECK(fit.form == "smooth");
  CHECK(4 * fit.candidates[1].median < fit.candidates[0].median);
  CHECK_THAT(microseconds(fit.curve.at(16_KiB).time), WithinRel(bent(16384), 0.02));
}

TEST_CASE("a spike does not bend the curve") {
  std::vector<TimedSize> rows = rows_of(plain_law, 4, 28, 2);
  rows[4].microseconds *= 5;
  const CurveFit fit = fit_curve(table_of(rows));
  REQUIRE(fit.remarks.size() == 1);
  CHECK_THAT(microseconds(fit.curve.at(Bytes{rows[4].bytes}).time),
             WithinRel(plain_law(rows[4].bytes), 0.002));
}

TEST_CASE("one row gives a floor below it, a bandwidth above it, and wide intervals") {
  const CostCurve curve = fit_curve(table_of({{1024, 50}})).curve;
  CHECK_THAT(microseconds(curve.at(1_KiB).time), WithinRel(50.0, 1e-9));
  CHECK_THAT(microseconds(curve.at(8_B).time), WithinRel(50.0, 1e-9));
  CHECK_THAT(microseconds(curve.at(4_KiB).time), WithinRel(200.0, 1e-9));
  CHECK(curve.at(1_KiB).high / curve.at(1_KiB).time > 1.5);
  CHECK(curve.at(1_MiB).high / curve.at(1_MiB).time > 5);
}

TEST_CASE("two rows give the line through both, with wide intervals") {
  const CostCurve curve = fit_curve(table_of(rows_of(plain_law, 10, 20, 10))).curve;
  CHECK_THAT(microseconds(curve.at(32_KiB).time), WithinRel(plain_law(32768), 0.002));
  CHECK(curve.at(32_KiB).high / curve.at(32_KiB).time > 1.5);
}

TEST_CASE("the interval widens beyond the ends") {
  const CostCurve curve = fit_curve(table_of(dell)).curve;
  const auto width = [&](Bytes size) { return curve.at(size).high / curve.at(size).low; };
  CHECK(width(8_GiB) > width(2_GiB));
  CHECK(width(64_GiB) > width(8_GiB));
}

TEST_CASE(
    "no table makes a curve that falls, or an answer that is not finite and in its interval") {
  Random random(5);
  for (int draw = 0; draw < 1000; ++draw) {
    const CostCurve curve = fit_curve(table_of(random_rows(random))).curve;
    REQUIRE(never_falls(curve));
    for (double bytes = 0.5; bytes < 1e15; bytes *= 37) {
      const CurveAnswer answer = curve.at(Bytes{bytes});
      REQUIRE(answer.low.base() > 0);
      REQUIRE(answer.low <= answer.time);
      REQUIRE(answer.time <= answer.high);
      REQUIRE(std::isfinite(answer.high.base()));
    }
  }
}

TEST_CASE("nine of ten noisy measurements between rows lie inside the interval") {
  Random random(11);
  int covered = 0;
  int request = 0;
  for (int draw = 0; draw < 200; ++draw) {
    const auto noisy = [&](double bytes) {
      return plain_law(bytes) * std::exp(0.05 * random.normal());
    };
    const CostCurve curve = fit_curve(table_of(rows_of(noisy, 4, 32, 2))).curve;
    for (int octave = 5; octave < 32; octave += 2) {
      const double bytes = std::exp2(octave);
      const CurveAnswer answer = curve.at(Bytes{bytes});
      const Seconds time{noisy(bytes) * 1e-6};
      covered += answer.low <= time && time <= answer.high ? 1 : 0;
      ++request;
    }
  }
  INFO(covered << " of " << request);
  CHECK(covered > 0.85 * request);
  CHECK(covered < 0.95 * request);
}

}  // namespace tofn
