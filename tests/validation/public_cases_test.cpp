#include <algorithm>
#include <string>
#include <vector>

#include "sim/answers/steps_answer.hpp"
#include "sim/core/accuracy.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

bool is_uncompiled(const ScoredStep& step) {
  return step.source.find("not compiled") != std::string::npos;
}

const std::vector<ScoredStep>& steps_of_users() {
  static const std::vector<ScoredStep> steps =
      steps_answer(configs, {TOFN_SOURCE_DIR "/tests/validation/data/public-cases.csv"},
                   StepProtocol::LeftOutModel);
  return steps;
}

}  // namespace

// No row's own model is in its fit. The bound is the mean error of steps of unknown stacks
// (tests/scorecard.csv, `unknown-stack`).
TEST_CASE("steps of public threads are inside their intervals") {
  std::vector<double> errors;
  for (const ScoredStep& step : steps_of_users()) {
    if (!step.skipped_because.empty() || is_uncompiled(step)) continue;
    CAPTURE(step.model, step.source, step.measured);
    errors.push_back(step.scored().error());
    CHECK(step.scored().intervals->back().contains(step.measured));
  }
  REQUIRE(errors.size() == 9);
  REQUIRE(std::count_if(steps_of_users().begin(), steps_of_users().end(), [](const auto& step) {
            return is_uncompiled(step) && step.skipped_because.empty();
          }) == 3);
  CHECK(accuracy_of(errors).mean < 0.17);
}

// Torchtitan's tensor parallelism without a compiler is predicted 27 to 31 % too short. The thread
// does not state the size of its nodes: on nodes of four, where tensor groups of eight cross the
// network, the same rows are 11 to 16 % too short.
TEST_CASE("steps of public threads that are not compiled are inside their intervals",
          "[!shouldfail]") {
  for (const ScoredStep& step : steps_of_users())
    if (is_uncompiled(step) && step.skipped_because.empty())
      CHECK(step.scored().intervals->back().contains(step.measured));
}

// The bound is that of the steps on which the reading of peaks was chosen (memory_test.cpp).
TEST_CASE("peaks of memory in public threads are foretold within 7 %") {
  std::vector<double> errors;
  for (const ScoredStep& step : steps_of_users())
    if (step.memory) errors.push_back(step.memory->error());
  REQUIRE(errors.size() == 8);
  CHECK(accuracy_of(errors).mean < 0.07);
}
