#include <string_view>

#include "sim/memory/fitting.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/simulation.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

Model pure_state_space(int groups) {
  Model model{.name = "mamba2", .sequence_length = 2048};
  model.parts = {
      {.name = "vocabulary", .shape = Vocabulary{.size = 50288, .hidden = 2560, .biases = false}},
      {.name = "state_space",
       .shape = StateSpaceLayers{.count = 64,
                                 .hidden = 2560,
                                 .heads = 80,
                                 .head_size = 64,
                                 .groups = groups,
                                 .state_size = 128}}};
  return model;
}

BestPlan best_of(const Model& model, Bytes memory) {
  const KernelProfile profile = toy_profile();
  Cluster cluster = toy_machine();
  cluster.accelerator.memory.value = memory;
  const BestPlan best = best_plan({.model = model,
                                   .cluster = cluster,
                                   .profile = profile,
                                   .accelerators = 16,
                                   .global_batch = 64,
                                   .is_fixed = [](std::string_view name) {
                                     return name == "sharded";  // nothing is sharded
                                   }});
  CHECK(best.fits);
  CHECK(best.plan.accelerators() == 16);
  CHECK(fits(largest_footprint(layer_work(model, best.plan), best.plan,
                               memory_profile(model, best.plan, cluster, profile)),
             cluster.accelerator));
  return best;
}

}  // namespace

TEST_CASE("a search splits a pure state-space model where it does not fit whole") {
  const Plan split = best_of(pure_state_space(8), 24_GB).plan;
  CHECK(split.tensor_parallel_size > 1);
  CHECK(8 % split.tensor_parallel_size == 0);
}

TEST_CASE("groups bound how far a search splits the layers of a state space") {
  const Plan split = best_of(pure_state_space(1), 24_GB).plan;
  CHECK(split.tensor_parallel_size == 1);
  CHECK(split.pipeline_parallel_size > 1);
}
