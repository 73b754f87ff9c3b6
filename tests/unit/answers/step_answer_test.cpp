#include "sim/answers/step_answer.hpp"

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/laws/machines.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Steps of a model on H100 near a batch.
std::vector<SimulatedStep> steps_near(const char* name, double batch, std::vector<int> sizes) {
  static const KernelProfile stack = find_kernel_profile(configs, default_stack);
  const Model model = find_model(configs, name);
  return step_answer({.model = model,
                      .cluster = *library().find_cluster("dgx-h100"),
                      .profile = stack,
                      .plan = {},
                      .sizes = std::move(sizes),
                      .batch = {},
                      .near_batch = batch,
                      .replica_batch = {},
                      .heterogeneous = {},
                      .seed = {}});
}

}  // namespace

TEST_CASE("each size takes a batch that its accelerators share evenly") {
  for (const SimulatedStep& step : steps_near("llama3-8b", 488, {8, 24, 88, 104})) {
    INFO(step.plan.accelerators());
    CHECK(step.plan.has_whole_samples());
    CHECK_THAT(step.plan.global_batch(), WithinRel(488.0, 0.1));
    CHECK(step.model_flops_utilisation() > 0.4);
  }
}

// 20,305 images a batch on 64 are 317 each, a prime: one or all of them in a pass.
TEST_CASE("more accelerators are not slower because their number divides a batch badly") {
  const auto steps = steps_near("vit-large-16", 20305, {1, 16, 32, 64});
  for (std::size_t i = 1; i < steps.size(); ++i)
    CHECK(steps[i].samples_per_second() > 1.5 * steps[i - 1].samples_per_second());
}
