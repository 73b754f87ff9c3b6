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
  REQUIRE(by.chosen.size() == 1);
  CHECK(by.chosen.front() ==
        "no micro-batch is stated: 1 of a replica's 2 samples a pass, the nearest to fitting");
  CHECK(by.plan.micro_batch == 1);
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

TEST_CASE(
    "more replicas than samples are no plan: where none is stated another is taken, and told") {
  Library library = Library::load(configs);
  const auto plan_of_8b = [&](const PlanFile& file) {
    return step_plan(find_model(configs, "llama3-8b"), library.cluster("dgx-h100"),
                     find_kernel_profile(configs, "nemo"), file, 1024, 512);
  };
  const StepPlan by = plan_of_8b({.name = "asked for"});
  CHECK(by.plan.global_batch() == 512);
  CHECK(by.plan.accelerators() == 1024);
  REQUIRE(by.chosen.size() == 1);
  CHECK_THAT(by.chosen.front(), ContainsText("replicas alone are more than a batch has samples"));
  PlanFile stated{.name = "asked for"};
  stated.stated = {"tp"};
  CHECK_THROWS_AS(plan_of_8b(stated), InputError);
}

TEST_CASE("a memory that holds no pass does not make the step shorter") {
  Library library = Library::load(configs);
  const Model model = find_model(configs, "llama3-8b");
  Cluster cluster = library.cluster("tpu-v5p");
  const KernelProfile profile = find_kernel_profile(configs, "unknown");
  PlanFile file{.name = "asked for", .split = {.sharded = Sharded::Parameters}};
  file.stated = {"sharded"};
  const auto step = [&] {
    const Plan plan = step_plan(model, cluster, profile, file, 64, 128).plan;
    return simulate_step(model, plan, cluster, profile);
  };
  const SimulatedStep held = step();
  CHECK(fits(held));
  cluster.accelerator.memory.value *= 0.5;
  const SimulatedStep crowded = step();
  CHECK_FALSE(fits(crowded));
  CHECK(crowded.plan.micro_batch == 1);
  CHECK(crowded.times.total >= held.times.total);
}

TEST_CASE("a replica's samples go in one pass where they fit, else in the largest that do") {
  Library library = Library::load(configs);
  const Model model = find_model(configs, "llama3-8b");
  const Cluster& cluster = library.cluster("dgx-h100");
  const KernelProfile profile = find_kernel_profile(configs, "nemo");
  PlanFile file{.name = "asked for", .split = {.tensor_parallel_size = 8}};
  file.stated = {"tp"};
  const StepPlan whole = step_plan(model, cluster, profile, file, 64, 16);
  CHECK(whole.plan.micro_batch == 2);
  CHECK(whole.chosen ==
        std::vector<std::string>{"no micro-batch is stated: a replica's 2 samples in one pass"});
  const StepPlan parts = step_plan(model, cluster, profile, file, 64, 512);
  CHECK(parts.plan.gradient_accumulation > 1);
  CHECK_THAT(parts.chosen.at(0),
             ContainsText("of a replica's 64 samples a pass, the most that fit"));
  CHECK(fits(simulate_step(model, parts.plan, cluster, profile)));
  file.micro_batch = static_cast<int>(2 * parts.plan.micro_batch);
  CHECK(!fits(simulate_step(model, step_plan(model, cluster, profile, file, 64, 512).plan, cluster,
                            profile)));
  CHECK(step_plan(model, cluster, profile, file, 64, 512).chosen.empty());
}
