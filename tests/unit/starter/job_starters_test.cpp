#include "sim/config/load_run.hpp"
#include "sim/core/text_as_file.hpp"
#include "sim/starter/starters.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a run to begin with states no plan, so that one is chosen that fits") {
  const std::string text = run_starter("mine", "llama3-70b", 8192);
  CHECK_THAT(text, ContainsText("\n# plan:") && !ContainsText("\nplan:"));
  const TextAsFile file("mine.yaml", text);
  const StatedRun run = load_run(file.path(), configs);
  REQUIRE(run.phases.size() == 2);
  for (const RunPhase& phase : run.phases) {
    CHECK(phase.plan.stated.empty());
    CHECK_FALSE(phase.plan.is_whole);
  }
}
