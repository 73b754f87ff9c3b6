#include <cmath>

#include "sim/answers/step_cases_answer.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

// Steps of GPTs of 0.2 to 1.3 billion parameters, which wait for their host. They teach
// `megatron-2022`, and `unknown` as all stacks do: the bounds were set for halves of the sizes that
// neither had seen (18 and 10 %). No step of theirs sets a figure of `megatron` but its host's
// time.
TEST_CASE("small models wait for their host about as long as measured") {
  const Library library = Library::load(configs);
  StepCaseTable table = read_step_cases(configs / "measured" / "steps-small.csv", library);
  REQUIRE(table.refused.empty());
  const auto mean_error = [&](const char* stack) {
    double sum = 0;
    const auto cases = predict_cases(table, find_kernel_profile(configs, stack));
    for (const PredictedCase& each : cases) sum += std::abs(each.error().value());
    return sum / static_cast<double>(cases.size());
  };
  CHECK(mean_error("unknown") < 0.18);
  CHECK(mean_error("megatron") < 0.10);
}
