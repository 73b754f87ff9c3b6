#include "sim/answers/runs_answer.hpp"

#include <algorithm>
#include <bit>

#include "sim/answers/baselines_answer.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

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

TEST_CASE("parameters of a run that its dimensions do not make are refused") {
  const auto refused = [](const std::string& cells) {
    const TemporaryFile table(
        "runs.csv",
        "score,run,model_family,parameters_total,hidden,layers,heads,feed_forward,gated_mlp,"
        "vocabulary,tokens,accelerator,gpus,gpu_hours\n"
        "time,a,A," +
            cells + ",32,11008,1,32000,2e12,A100-80GB,128,184320\n");
    return refusal([&] { runs_answer(configs, table.path()); });
  };
  // Llama 2 7B: 32 x (4 x 4096^2 + 3 x 4096 x 11008) + 2 x 32000 x 4096 = 6.738 billion
  CHECK_THAT(refused("1,4096,32"),
             ContainsText(":2:10: parameters_total: is 1, but 32 layers of 4096 make 6.738B"));
  CHECK_THAT(refused("6.7e9,4096,320"), ContainsText("parameters_total: is 6.7B, but 320 layers"));
  CHECK_THAT(refused("6.7e10,4096,32"), ContainsText("parameters_total: is 67B, but 32 layers"));
  CHECK(refused("6.7e9,4096,32").find("parameters_total") == std::string::npos);
  CHECK(refused("6.7e9,4096,").find("parameters_total") == std::string::npos);
}
