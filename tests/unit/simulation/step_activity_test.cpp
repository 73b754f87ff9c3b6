#include "sim/simulation/step_energy.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Activity activity_with(StepPart part, double seconds) {
  StepTimes times;
  times.parts[static_cast<std::size_t>(part)] = times.total = Seconds{seconds};
  return activity_of(times);
}

}  // namespace

TEST_CASE("kernels draw in full, launches half, all that waits for data 0.3") {
  for (const auto& [name, part] : step_parts) {
    CAPTURE(name);
    const bool computes = part == StepPart::Compute || part == StepPart::Optimizer;
    const double draw = computes ? 1.0 : part == StepPart::Launch ? 0.5 : 0.3;
    CHECK_THAT(utilisation(activity_with(part, 3)), WithinRel(draw, 1e-12));
    CHECK(activity_with(part, 3).total() == Seconds{3});
  }
}
