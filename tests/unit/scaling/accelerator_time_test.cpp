#include "sim/scaling/accelerator_time.hpp"

#include <algorithm>
#include <numeric>

#include "sim/scaling/critical_size.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scaling/points.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

double share_of(const std::vector<GrowthCause>& causes, std::string_view name) {
  for (const GrowthCause& cause : causes)
    if (cause.name == name) return cause.share;
  FAIL("no cause " << name);
  return 0;
}

}  // namespace

TEST_CASE("causes of growing accelerator-time, by hand") {
  // 8 x (12.5 x 8 s + 15 s) = 920 and 16 x (15 x 5 s + 15 s) = 1440, so 520 accelerator-seconds
  // more.
  const ScaledPoint from = point_of(8, 1000, 6);
  const ScaledPoint to = point_of(16, 1200, 3);
  CHECK_THAT(growth_of_accelerator_time(from, to), WithinRel(520.0 / 920, 1e-12));
  const auto causes = causes_of_growth(from, to);
  CHECK(causes.front().name == "more samples to the target");
  CHECK_THAT(causes.front().share, WithinRel(160.0 / 520, 1e-12));  // 200 samples at 0.8 each
  CHECK_THAT(share_of(causes, "exposed communication"), WithinRel(120.0 / 520, 1e-12));
  CHECK_THAT(share_of(causes, "fixed cost of a pass spread over fewer samples"),
             WithinRel(120.0 / 520, 1e-12));
  CHECK_THAT(share_of(causes, "evaluation"), WithinRel(80.0 / 520, 1e-12));
  CHECK_THAT(share_of(causes, "start-up and other fixed time"), WithinRel(40.0 / 520, 1e-12));
  CHECK_THAT(share_of(causes, "arithmetic of a sample"), WithinAbs(0, 1e-12));
  const double sum =
      std::accumulate(causes.begin(), causes.end(), 0.0,
                      [](double so_far, const GrowthCause& c) { return so_far + c.share; });
  CHECK_THAT(sum, WithinRel(1.0, 1e-12));
}

TEST_CASE("accelerator-time that does not grow has no causes") {
  CHECK(causes_of_growth(point_of(16, 1200, 3), point_of(8, 1000, 6)).empty());
  CHECK(causes_of_growth(point_of(8, 1000, 6), point_of(8, 1000, 6)).empty());
}

TEST_CASE("of a size that is no run the causes are those of its steps") {
  const ScaledPoint run = point_of(16, 1200, 3);
  ScaledPoint step = point_of(8, 1000, 6);
  step.run.reset();
  const auto has_evaluation = [](const ScaledPoint& from, const ScaledPoint& to) {
    const auto causes = causes_of_growth(from, to);
    REQUIRE_FALSE(causes.empty());
    return std::any_of(causes.begin(), causes.end(),
                       [](const GrowthCause& cause) { return cause.name == "evaluation"; });
  };
  CHECK(has_evaluation(point_of(8, 1000, 6), run));
  step.step.total = Seconds{1e-3};  // a million samples take less than the run
  CHECK_FALSE(has_evaluation(step, run));
  step.step.total = Seconds{8};
  CHECK_FALSE(has_evaluation(run, step));
}

TEST_CASE("from N_crit on communication takes as long as computation") {
  // Computation 1000/N + 1 equals communication 0.125 N where N^2 - 8 N - 8000 = 0, at 93.5.
  const auto account = [](int n) -> std::optional<StepTimes> {
    if (n == 96) return {};  // the job does not split over 96
    StepTimes step;
    part(step.parts, StepPart::Compute) = Seconds{1000.0 / n};
    part(step.parts, StepPart::Launch) = Seconds{1};
    step.communication = Seconds{0.125 * n};
    return step;
  };
  CHECK(critical_size(account, {.first = 8, .last = 1024, .stride = 8}) == 104);
  CHECK(critical_size(account, {.first = 8, .last = 1024, .stride = 1}) == 94);
  CHECK_FALSE(critical_size(account, {.first = 8, .last = 88, .stride = 8}));
  const auto even = [](int n) -> std::optional<StepTimes> {
    StepTimes step;
    part(step.parts, StepPart::Compute) = Seconds{2};
    step.communication = Seconds{n / 32.0};  // as long as computation at 64
    return step;
  };
  CHECK(critical_size(even, {.first = 16, .last = 256, .stride = 16}) == 64);
  CHECK_FALSE(critical_size(account, {.first = 8, .last = 7, .stride = 8}));
  // A single smaller size with long communication, such as one that leaves a domain, is not the
  // start.
  const auto early = [&](int n) {
    std::optional<StepTimes> step = account(n);
    if (step && n == 16) step->communication = Seconds{100};
    return step;
  };
  CHECK(critical_size(early, {.first = 8, .last = 1024, .stride = 8}) == 104);
  // One accelerator would compute for 1000 + 1, against a communication of 2 on 16.
  const auto step = account(16);
  REQUIRE(step);
  CHECK_THAT(crossover(*step, 16).value(), WithinRel(1001.0 / 2, 1e-12));
  CHECK_FALSE(crossover({}, 16));
}

TEST_CASE("the bottleneck of a step, at the textbook's thresholds") {
  const auto named = [](double arithmetic, double overhead, double exposed, double waiting) {
    StepTimes step;
    part(step.parts, StepPart::Compute) = Seconds{arithmetic};
    part(step.parts, StepPart::Launch) = Seconds{overhead};
    part(step.parts, StepPart::Data) = Seconds{exposed};
    part(step.parts, StepPart::Imbalance) = Seconds{waiting};
    step.total = Seconds{arithmetic + overhead + exposed + waiting};
    return bottleneck_of(step).name;
  };
  CHECK(named(95, 0, 5, 0) == "compute");
  CHECK(named(85, 0, 15, 0) == "mixed");
  CHECK(named(65, 0, 35, 0) == "communication");
  CHECK(named(85, 0, 0, 15) == "imbalance");
  CHECK(named(75, 25, 0, 0) == "mixed");
  CHECK(named(65, 35, 0, 0) == "overhead");
  CHECK(named(30, 35, 35, 0) == "communication");  // the textbook's classes take precedence
}
