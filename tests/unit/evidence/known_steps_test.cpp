#include "sim/evidence/known_steps.hpp"

#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a model of two experts is one with experts") {
  const TemporaryFile table(
      "steps.csv",
      "stack,accelerator,hidden,feed_forward,layers,heads,gpus,global_batch,experts,"
      "experts_per_token,measured_step_s\n"
      "nemo,H100-80GB,1024,4096,24,16,8,64,2,1,1\n"
      "nemo,H100-80GB,1024,4096,24,16,8,64,,,1\n");
  std::vector<ScoredStep> scored;
  KnownSteps(configs).read(table.path(), &scored);
  REQUIRE(scored.size() == 2);
  CHECK(scored[0].skipped_because.empty());
  CHECK(scored[0].has_experts);
  CHECK_FALSE(scored[1].has_experts);
}

TEST_CASE("replicas make at most as many GPUs as can be counted") {
  const auto refused = [](const char* replicas) {
    const TemporaryFile table(
        "steps.csv",
        std::string("stack,accelerator,hidden,layers,heads,tensor_parallel,data_parallel,"
                    "global_batch\nnemo,H100-80GB,1024,24,16,2,") +
            replicas + ",64\n");
    return refusal([&] { KnownSteps(configs).read(table.path(), nullptr); });
  };
  const std::string many = "makes too many GPUs";
  CHECK_THAT(refused("50000001"), ContainsText(many));  // one more than CsvRow::most_count / 2
  CHECK_THAT(refused("50000000"), !ContainsText(many));
}

TEST_CASE(
    "a row that cannot be read is told where steps are scored, and refused where they teach") {
  const TemporaryFile table("steps.csv",
                            "stack,accelerator,hidden,layers,heads,gpus,global_batch\n"
                            "nemo,H100-80GB,1024,24,15,8,64\n");
  std::vector<ScoredStep> scored;
  KnownSteps steps(configs);
  steps.read(table.path(), &scored);
  REQUIRE(scored.size() == 1);
  CHECK_THAT(scored[0].skipped_because, ContainsText("15 heads do not divide"));
  CHECK_THAT(refusal([&] { steps.read(table.path(), nullptr); }),
             ContainsText("15 heads do not divide"));
}
