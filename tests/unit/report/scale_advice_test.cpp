#include "sim/report/scale_report.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scaling/points.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

ScaleAnswer answer_to(std::vector<ScalingPoint> times) {
  ScaleAnswer answer;
  answer.name = "job";
  answer.knees = knees_of(times, {});
  answer.times = std::move(times);
  return answer;
}

}  // namespace

TEST_CASE("advice on times names no cause") {
  // Gains are 63.6 % at 2 and 29.4 % at 4, so 30 % is at 3.95.
  CHECK(advice_on(answer_to({{1, 64}, {2, 36}, {4, 22}, {8, 17}})) ==
        "job: 4 accelerators give the most speedup x efficiency (2.9 x as fast as 1 at "
        "73 % efficiency); from about 4 on the next doubling gains less than 30 % (times alone do "
        "not say why).\n");
  CHECK(advice_on(answer_to({{8, 80}, {16, 40}, {32, 20}})) ==
        "job: 32 accelerators, the largest of these sizes, give the most speedup x efficiency (4.0 "
        "x as fast as 8 at 100 % efficiency); up to 32 there is no size from which the next "
        "doubling gains less than 30 %.\n");
  CHECK(advice_on(answer_to({{8, 80}})) == "One size says nothing of scaling.\n");
}

TEST_CASE("advice on a job names what its accelerator-time goes to, the three largest shares") {
  // The sizes take 920 and 1440 accelerator-seconds. Of the 520 more, 160 are samples, 120 work of
  // each pass, 120 communication, 80 evaluation and 40 start-up.
  ScaleSeries series;
  series.points = {point_of(8, 1000, 6), point_of(16, 1200, 3)};
  ScaleAnswer answer = answer_to(times_of(series.points));
  answer.machine = "chip (cluster)";
  answer.main = series;
  CHECK(
      advice_on(answer) ==
      "job on chip (cluster): 8 accelerators, the smallest of these sizes, give the most speedup x "
      "efficiency; from 8 on the next doubling gains less than 30 %, because accelerator-time "
      "grows by 57 % from 8 to 16, 31 % of it more samples to the target, 23 % of it fixed cost "
      "of a pass "
      "spread over fewer samples, 23 % of it exposed communication.\n");
  answer.main->points.front().memory = 1.2;
  CHECK_THAT(advice_on(answer), !ContainsText("DOES NOT FIT"));
  answer.main->points.back().memory = 1.1;
  CHECK_THAT(advice_on(answer),
             ContainsText("job on chip (cluster): DOES NOT FIT at any of these sizes; if it "
                          "did: 8 accelerators, the smallest of these sizes, give "));
}

namespace {

/// Advice about the growth from 8 accelerators, with 800 accelerator-seconds of which 100 are
/// communication, to 32 accelerators with this many more of arithmetic and of communication. Empty
/// if their time does not grow.
std::string growth_by(double arithmetic, double communication) {
  const auto size = [](int accelerators, double of_arithmetic, double of_communication) {
    ScaledPoint point = point_of(accelerators, 80, of_arithmetic);
    part(point.step.parts, StepPart::Launch) = Seconds{};
    part(point.step.parts, StepPart::Data) = Seconds{of_communication};
    point.step.total = Seconds{of_arithmetic + of_communication};
    point.run->evaluation = point.run->fixed = Seconds{};
    return point;
  };
  ScaleSeries series;
  series.points = {size(8, 87.5, 12.5), size(16, 43.75, 6.25),
                   size(32, 21.875 + arithmetic / 32, 3.125 + communication / 32)};
  ScaleAnswer answer = answer_to(times_of(series.points));
  answer.main = series;
  const std::string text = advice_on(answer);
  const std::size_t at = text.find("Accelerator-time grows");
  return at == std::string::npos ? "" : text.substr(at);
}

}  // namespace

TEST_CASE("what grew by more than the whole is no share of it, and stands beside what shrank") {
  CHECK(growth_by(8, 32) ==
        "Accelerator-time grows by 5 % from 8 to 32, 80 % of it exposed communication, 20 % of "
        "it arithmetic of a sample.\n");
  CHECK(growth_by(-24, 48) ==
        "Accelerator-time grows by 3 % from 8 to 32 (+6.0 % exposed communication, -3.0 % "
        "arithmetic of a sample).\n");
}

TEST_CASE("growth of less than a per cent has no parts") {
  CHECK(growth_by(-24, 28) == "Accelerator-time grows by less than 1 % from 8 to 32.\n");
}
