#include "sim/answers/steps_answer.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("of two equal rows in a table of steps one is scored, the other says why not") {
  const std::string row = "megatron-lm,own,H100-80GB,2048,24,16,8,64,bf16,1.5,own log\n";
  const TemporaryFile file(
      "steps.csv",
      "stack,model,accelerator,hidden,layers,heads,gpus,global_batch,precision,"
      "measured_step_s,source\n" +
          row + row);
  const auto steps =
      steps_answer(TOFN_SOURCE_DIR "/configs", {file.path()}, StepProtocol::UnknownStack);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].skipped_because.empty());
  CHECK(steps[0].predicted > 0);
  CHECK(steps[1].skipped_because == "a row above tells of the same measurement");
}
