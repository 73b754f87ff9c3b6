#include "sim/answers/runs_answer.hpp"

#include <algorithm>
#include <bit>

#include "sim/answers/baselines_answer.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a run of unstated size is on nodes by powers of two, on as many as end it in time") {
  int seen = 0;
  for (const PublishedRun& run : runs_answer(configs, configs / "measured/training-runs.csv")) {
    const bool is_assumed =
        std::any_of(run.assumed.begin(), run.assumed.end(),
                    [](const std::string& each) { return each.starts_with("gpus "); });
    if (!is_assumed || !run.skipped_because.empty()) continue;
    ++seen;
    INFO(run.name);
    CHECK(std::has_single_bit(static_cast<unsigned>(run.accelerators)));
    CHECK(run.accelerators <= 2048);
    constexpr double longest_days = 60;
    if (run.accelerators < 2048) CHECK(run.hours.simulated / run.accelerators / 24 <= longest_days);
  }
  CHECK(seen > 5);
}
