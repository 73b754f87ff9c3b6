#include "sim/timeline/step_work.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;

namespace {

/// Times whose parts are powers of two, so that every sum shows its parts.
StepTimes powers_of_two() {
  StepTimes times;
  double seconds = 1;
  for (const auto& [name, part] : step_parts) {
    times.parts[static_cast<std::size_t>(part)] = Seconds{seconds};
    times.total += Seconds{seconds};
    seconds *= 2;
  }
  return times;
}

Seconds of(StepPart part) { return powers_of_two().parts[static_cast<std::size_t>(part)]; }

}  // namespace

TEST_CASE("what a step waits for, computes and exposes adds up to all of it") {
  const StepTimes times = powers_of_two();
  CHECK(times.waiting() == of(StepPart::Bubble) + of(StepPart::Imbalance));
  CHECK(times.computation() ==
        of(StepPart::Compute) + of(StepPart::Launch) + of(StepPart::Optimizer));
  CHECK(times.exposed().time == of(StepPart::Tensor) + of(StepPart::Context) +
                                    of(StepPart::Expert) + of(StepPart::Pipeline) +
                                    of(StepPart::Data));
  CHECK(times.waiting() + times.computation() + times.exposed().time == times.total);
}
