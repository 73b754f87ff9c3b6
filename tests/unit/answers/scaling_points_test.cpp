#include "sim/answers/predict_answer.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A job of `samples` samples whose steps train `rate` samples/s, with 100 s outside of steps.
RunPoint job_on(int accelerators, double samples, double rate) {
  RunPoint point{.accelerators = accelerators, .estimate = RunEstimate{}};
  RunFigures& f = point.estimate->expected;
  f.samples = samples;
  f.samples_per_second = rate;
  f.seconds = samples / rate + 100;
  return point;
}

}  // namespace

TEST_CASE("speedup is of the time of jobs that train alike") {
  std::vector<RunPoint> points{job_on(8, 1000, 1), job_on(16, 1000, 2), job_on(32, 1000, 4)};
  points[1].estimate.reset();
  const auto scaling = scaling_points(points);
  REQUIRE(scaling.size() == 2);
  CHECK(scaling[1].accelerators == 32);
  CHECK_THAT(speedup(scaling[1], scaling[0]), WithinRel(1100.0 / 350, 1e-12));
}

TEST_CASE("speedup is of a sample where one step was requested, else of runs to the same loss") {
  std::vector<RunPoint> alike{job_on(8, 1000, 1), job_on(16, 1000, 2)};
  for (RunPoint& point : alike) point.estimate->is_one_step = true;
  const auto steps = scaling_points(alike);
  CHECK_THAT(speedup(steps[1], steps[0]), WithinRel(2.0, 1e-12));
  const auto unlike = scaling_points({job_on(8, 1000, 1), job_on(16, 1500, 2)});
  CHECK_THAT(speedup(unlike[1], unlike[0]), WithinRel(1100.0 / 850, 1e-12));
}

TEST_CASE("the smallest size that fits is what others are held against") {
  std::vector<RunPoint> points{job_on(8, 1000, 1), job_on(16, 1000, 2), job_on(32, 1000, 4)};
  points[0].fits = false;
  CHECK(fitting_reference(points, scaling_points(points)).accelerators == 16);
  points[1].fits = points[2].fits = false;  // none fits
  CHECK(fitting_reference(points, scaling_points(points)).accelerators == 8);
}
