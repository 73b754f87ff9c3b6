#include "sim/training/run_estimate.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("what the accelerators do in a run adds up to its steps, evaluations and the rest") {
  RunBreakdown run;
  run.step.total = Seconds{2};
  run.step.parts[static_cast<std::size_t>(StepPart::Compute)] = Seconds{1.5};
  run.step.parts[static_cast<std::size_t>(StepPart::Data)] = Seconds{0.5};
  run.steps = 10;
  run.training.time = Seconds{20};
  run.evaluation.time = Seconds{4};
  run.fixed.time = Seconds{6};
  const Activity activity = activity_of(run);
  CHECK_THAT(activity.total().base(), WithinRel(30.0, 1e-12));
  CHECK_THAT(activity.computing.base(), WithinRel(18.0, 1e-12));
  CHECK_THAT(activity.communicating.base(), WithinRel(6.0, 1e-12));
  CHECK_THAT(activity.idle.base(), WithinRel(6.0, 1e-12));
}
