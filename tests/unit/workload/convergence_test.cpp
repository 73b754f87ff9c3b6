#include "sim/workload/convergence.hpp"

#include <array>
#include <cmath>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr std::array two_points{
    ReferencePoint{.batch = 100, .samples = 1000, .standard_deviation = 100, .runs = 25},
    ReferencePoint{.batch = 400, .samples = 4000, .standard_deviation = 200, .runs = 16}};

/// Points on the curve 1000 * (1 + B/1000).
constexpr std::array on_a_law{
    ReferencePoint{.batch = 250, .samples = 1250, .standard_deviation = 0, .runs = 20},
    ReferencePoint{.batch = 1000, .samples = 2000, .standard_deviation = 0, .runs = 20},
    ReferencePoint{.batch = 4000, .samples = 5000, .standard_deviation = 0, .runs = 20}};

}  // namespace

TEST_CASE("at a reference point its own figures are taken") {
  const SamplesToTarget at = samples_to_target(two_points, 100);
  CHECK(at.expected == 1000);
  CHECK(at.run_deviation == 100);
  CHECK(at.expected_deviation == 20);  // 100 / sqrt(25)
  CHECK(at.basis == Basis::Measured);
  CHECK(samples_to_target(two_points, 400).expected_deviation == 50);
}

TEST_CASE("between two points samples lie on a straight line in log-log axes") {
  // Halfway from 100 to 400 in octaves: sqrt(1000 x 4000), with a deviation of (10 % + 5 %) / 2.
  const SamplesToTarget half = samples_to_target(two_points, 200);
  CHECK_THAT(half.expected, WithinRel(2000.0, 1e-12));
  CHECK_THAT(half.run_deviation, WithinRel(150.0, 1e-12));
  CHECK(half.basis == Basis::Interpolated);
  // A quarter of the way: 1000 x 4^(1/4).
  CHECK_THAT(samples_to_target(two_points, 100 * std::sqrt(2)).expected,
             WithinRel(1414.2135623730951, 1e-12));
}

TEST_CASE("an interpolated mean is less certain than its neighbours") {
  const SamplesToTarget half = samples_to_target(two_points, 200);
  CHECK(half.expected_deviation / half.expected > 50.0 / 4000);
  CHECK(half.expected_deviation / half.expected > 20.0 / 1000);
}

TEST_CASE("a law is found again in points that lie on it") {
  const ConvergenceLaw law = fit_convergence_law(on_a_law);
  for (const double batch : {250.0, 1000.0, 4000.0, 16000.0})
    CHECK_THAT(law.samples(batch), WithinRel(1000 + batch, 0.02));
}

TEST_CASE("beyond the points samples follow the law and say so") {
  const SamplesToTarget beyond = samples_to_target(on_a_law, 16000);
  CHECK_THAT(beyond.expected, WithinRel(17000.0, 0.02));
  CHECK(beyond.basis == Basis::Extrapolated);
  const SamplesToTarget below = samples_to_target(on_a_law, 125);
  CHECK_THAT(below.expected, WithinRel(1125.0, 0.02));
  CHECK(below.basis == Basis::Extrapolated);
}

TEST_CASE("an extrapolated mean is the less certain the farther it is") {
  double before = 0;
  for (const double batch : {401.0, 800.0, 1600.0, 6400.0}) {
    const SamplesToTarget far = samples_to_target(two_points, batch);
    CHECK(far.expected_deviation / far.expected > before);
    before = far.expected_deviation / far.expected;
  }
  // Points without scatter have an uncertainty proportional to the octaves to the nearest one.
  const auto doubt = [](double batch) {
    const SamplesToTarget far = samples_to_target(on_a_law, batch);
    return far.expected_deviation / far.expected;
  };
  CHECK(doubt(8000) > 0);
  CHECK_THAT(doubt(16000), WithinRel(2 * doubt(8000), 1e-12));
  CHECK_THAT(doubt(125), WithinRel(doubt(8000), 1e-12));
  CHECK_THAT(doubt(31.25), WithinRel(3 * doubt(8000), 1e-12));
}

TEST_CASE("samples to target are continuous at every reference point") {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  for (const Workload& workload : library.workloads())
    for (const ReferencePoint& point : workload.convergence)
      for (const double side : {1 - 1e-9, 1 + 1e-9}) {
        INFO(workload.name << ' ' << point.batch);
        const double beside = samples_to_target(workload.convergence, point.batch * side).expected;
        CHECK_THAT(beside, WithinRel(point.samples, 1e-7));
      }
}

TEST_CASE("samples to target grow with the batch beyond the reference points") {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  for (const Workload& workload : library.workloads()) {
    INFO(workload.name);
    double before = workload.convergence.back().samples;
    for (int octave = 1; octave <= 6; ++octave) {
      const double batch = workload.convergence.back().batch * std::exp2(octave);
      const double samples = samples_to_target(workload.convergence, batch).expected;
      CHECK(samples > before);
      CHECK(samples < 4 * before);  // a power law does not explode
      before = samples;
    }
    const double least = workload.convergence.front().batch;
    const double half = samples_to_target(workload.convergence, least / 2).expected;
    CHECK(half <= workload.convergence.front().samples);
    CHECK(samples_to_target(workload.convergence, least / 4).expected <= half);
  }
}

TEST_CASE("points that a round replaced hold up to the last round that had them") {
  const std::vector<ReferencePoint> newest{{.batch = 8, .samples = 100},
                                           {.batch = 16, .samples = 200}};
  const std::vector<ReplacedPoint> replaced{{{.batch = 8, .samples = 130}, 4.1},
                                            {{.batch = 8, .samples = 150}, 3.0}};
  const auto samples_of_8 = [&](double round) {
    return as_of_round(newest, replaced, round).front().samples;
  };
  CHECK(samples_of_8(2.1) == 150);
  CHECK(samples_of_8(3.0) == 150);
  CHECK(samples_of_8(3.1) == 130);
  CHECK(samples_of_8(4.1) == 130);
  CHECK(samples_of_8(5.0) == 100);
  CHECK(as_of_round(newest, replaced, 3.0).back().samples == 200);
}
