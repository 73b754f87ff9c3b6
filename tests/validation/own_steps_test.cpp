#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/answers/steps_answer.hpp"
#include "sim/core/statistics.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/validation/coverage.hpp"

using namespace tofn;

namespace {

/// Measured after the build that predicts them, and kept where nothing learns from them.
const std::vector<ScoredStep>& steps_on_an_h100() {
  static const std::vector<ScoredStep> steps =
      steps_answer(configs, {TOFN_SOURCE_DIR "/tests/validation/data/steps-h100.csv"},
                   StepProtocol::LeftOutStackOnChip);
  return steps;
}

}  // namespace

// The bound is what chips cost whose steps were all left out (the scorecard's `left-out-chip`), in
// the mean, when these steps were not yet measured.
TEST_CASE("steps of our own on an H100, which taught nothing, are foretold within 12 %") {
  double error = 0;
  std::size_t holding = 0;
  REQUIRE(steps_on_an_h100().size() == 23);
  for (const ScoredStep& step : steps_on_an_h100()) {
    CAPTURE(step.model, step.job, step.skipped_because);
    REQUIRE(step.skipped_because.empty());
    error += std::abs(step.scored().error()) / 23;
    if (step.scored().intervals->back().contains(step.measured)) ++holding;
  }
  CHECK(error < 0.12);
  CHECK(test::is_not_too_few(holding, 23, 0.9));
}

// The bound is that of the steps which the reading of peaks was chosen on (memory_test.cpp).
TEST_CASE("their peaks of memory, on which nothing was chosen, are foretold within 7 %") {
  double error = 0;
  for (const ScoredStep& step : steps_on_an_h100()) {
    REQUIRE(step.memory);
    error += std::abs(step.memory->error()) / 23;
  }
  CHECK(error < 0.07);
}
