#include "sim/answers/step_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

StepPlan plan_of_70b(const PlanFile& file) {
  Library library = Library::load(configs);
  return step_plan(find_model(configs, "llama3-70b"), library.cluster("dgx-h100"),
                   find_kernel_profile(configs, "nemo"), file, 64, 64);
}

}  // namespace

TEST_CASE("where no plan is stated and replicas do not fit, one that fits is chosen and told") {
  const StepPlan by = plan_of_70b({.name = "asked for"});
  REQUIRE(by.chosen.size() == 1);
  CHECK_THAT(by.chosen.front(), ContainsText("no plan is stated"));
  CHECK(by.plan.accelerators() == 64);
  CHECK(by.plan.global_batch() == 64);
  Library library = Library::load(configs);
  CHECK(fits(simulate_step(find_model(configs, "llama3-70b"), by.plan, library.cluster("dgx-h100"),
                           find_kernel_profile(configs, "nemo"))));
}

TEST_CASE("a plan that is stated in part is kept, whether it fits or not") {
  PlanFile file{.name = "asked for", .split = {.tensor_parallel_size = 2}};
  file.stated = {"tp"};
  const StepPlan by = plan_of_70b(file);
  CHECK(by.chosen.empty());
  CHECK(by.plan.tensor_parallel_size == 2);
  CHECK(by.plan.data_parallel_size == 32);
}

TEST_CASE("stages pass one sample at a time unless told otherwise") {
  PlanFile file{.name = "asked for",
                .split = {.tensor_parallel_size = 8, .pipeline_parallel_size = 8}};
  file.stated = {"tp", "pp"};
  const StepPlan by = plan_of_70b(file);
  CHECK(by.plan.micro_batch == 1);
  CHECK(by.plan.gradient_accumulation == 64);
  REQUIRE(by.chosen.size() == 1);
  file.micro_batch = 4;
  CHECK(plan_of_70b(file).plan.gradient_accumulation == 16);
  CHECK(plan_of_70b(file).chosen.empty());
}
