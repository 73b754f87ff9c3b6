#include "sim/simulation/recorded_step.hpp"

#include <cmath>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A curve of a nanosecond a byte, with an interval of a tenth.
CostCurve a_nanosecond_a_byte() {
  std::vector<CurvePoint> table;
  for (int point = 0; point < CostCurve::points; ++point)
    table.push_back({.time = std::log(1e-9 * CostCurve::size_of(point)), .width = std::log(1.1)});
  return {std::move(table), {1e6, 1e8}};
}

RecordPoint step_point(int ranks, const char* overlap) {
  RecordPoint point;
  point.kind = "step";
  point.parameters = {{"workload", std::string("toy")},
                      {"device", std::string("cpu")},
                      {"backend", std::string(ranks == 1 ? "none" : "mpi")},
                      {"ranks", static_cast<long long>(ranks)},
                      {"nodes", 1LL},
                      {"bucket_bytes", 40'000'000LL},
                      {"gradient_bytes", 100'000'000LL},
                      {"overlap", std::string(overlap)}};
  point.host_samples = {0.9, 1.0, 1.1};
  point.visits = {3};
  point.summary = {.median = 1.0, .interval = {0.9, 1.1}, .repeat = {0.81, 1.21}};
  return point;
}

RecordedStep alone() {
  Record record;
  record.points = {step_point(1, "compute")};
  return recorded_steps(record, 1, "compute").front();
}

double part(const StepTimes& times, StepPart which) {
  return times.parts[static_cast<std::size_t>(which)].base();
}

}  // namespace

TEST_CASE("of a record the finished steps of one number of ranks and one mode are taken") {
  Record record;
  record.points = {step_point(1, "compute"), step_point(2, "compute"), step_point(2, "backward"),
                   step_point(2, "backward")};
  record.points.back().is_complete = false;
  CHECK(recorded_steps(record, 1, "compute").size() == 1);
  CHECK(recorded_steps(record, 1, "backward").empty());
  REQUIRE(recorded_steps(record, 2, "backward").size() == 1);
  const RecordedStep two = recorded_steps(record, 2, "backward").front();
  CHECK(two.ranks == 2);
  CHECK(two.problem == alone().problem);  // only the ranks and the mode differ
  record.points[0].parameters[6].second = 99'000'000LL;
  CHECK(recorded_steps(record, 1, "compute").front().problem != two.problem);
}

TEST_CASE("gradients are reduced bucket by bucket, the last one smaller") {
  const StepWork work = step_work(alone(), 2, a_nanosecond_a_byte());
  const auto& layers = work.stages[0][0].layers();
  REQUIRE(layers.size() == 3);
  CHECK_THAT(layers[0].backward.reduce.base(), WithinRel(0.04, 1e-9));
  CHECK_THAT(layers[1].backward.reduce.base(), WithinRel(0.04, 1e-9));
  CHECK_THAT(layers[2].backward.reduce.base(), WithinRel(0.02, 1e-9));
}

TEST_CASE("two ranks take what one takes, the all-reduces and the wait for the slower one") {
  const ScaledStep two = scale_step(alone(), 2, a_nanosecond_a_byte());
  CHECK_THAT(part(two.times, StepPart::Compute), WithinRel(1.0, 1e-9));
  CHECK_THAT(part(two.times, StepPart::Data), WithinRel(0.1, 1e-9));
  // Deviation 0.1 x 1.4826 from the median absolute deviation; Blom's (2 - 0.375) / 2.25 is the
  // 0.72222 quantile.
  const double wait = 0.1 * 1.4826 * 0.58946;
  CHECK_THAT(part(two.times, StepPart::Imbalance), WithinRel(wait, 1e-4));
  CHECK_THAT(two.times.total.base(), WithinRel(1.1 + wait, 1e-4));
  // Intervals of 95 % reach 1.959964 standard deviations each way, and those of 90 % reach
  // 1.644854.
  const double share = 1.644854 / 1.959964;
  const double faster = (1 + wait) * (1 - std::pow(0.81, share));
  const double slower = (1 + wait) * (std::pow(1.21, share) - 1);
  CHECK_THAT(two.seconds.low, WithinRel(1.1 + wait - std::hypot(faster, 0.1 - 0.1 / 1.1), 1e-4));
  CHECK_THAT(two.seconds.high, WithinRel(1.1 + wait + std::hypot(slower, 0.1 * 0.1), 1e-4));
}

TEST_CASE("one rank takes what it took") {
  const ScaledStep one = scale_step(alone(), 1, a_nanosecond_a_byte());
  CHECK_THAT(one.times.total.base(), WithinRel(1.0, 1e-9));
}
