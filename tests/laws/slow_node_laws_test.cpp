#include <algorithm>

#include "sim/simulation/simulation.hpp"
#include "tests/catch.hpp"
#include "tests/laws/step_works.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr double slow_node_laws_rounding = 1e-11;

/// Calls f(plan) for several ways to split the toy model.
template <class F>
void for_each_plan(F f) {
  for (const int tensor : {1, 8})
    for (const int stages : {1, 2, 4})
      for (const int replicas : {1, 16})
        for (const Sharded sharded : {Sharded::Nothing, Sharded::Parameters}) {
          const Plan plan{.tensor_parallel_size = tensor,
                          .pipeline_parallel_size = stages,
                          .data_parallel_size = replicas,
                          .gradient_accumulation = 4,
                          .sharded = replicas > 1 ? sharded : Sharded::Nothing};
          INFO("tp " << tensor << " pp " << stages << " dp " << replicas);
          f(plan);
        }
}

double slowed_seconds(const Plan& plan, const SlowNode& slow) {
  KernelProfile profile = toy_profile();
  profile.host_per_kernel = {Seconds{20e-6}, "made up"};
  return simulate(step_work(toy_model(), plan, toy_machine(), profile, slow)).total.base();
}

}  // namespace

// All micro-batches pass the slow stage after the first has come down to it and before the last
// goes up again. The b stages behind it need 3 s each for a micro-batch. The slow stage's b passes
// that fill the pipeline, x s each, and its b passes that drain it, 2 x s each, hide that much of
// their time.
TEST_CASE("a pipeline whose only slow stage paces it") {
  for (const int stages : {1, 2, 4, 8})
    for (int slow = 0; slow < stages; ++slow)
      for (const double factor : {1.0, 1.25, 2.0}) {
        const int micro_batches = 3 * stages;
        StepWork work = plain_work(stages, 1, micro_batches);
        LayerTimes& layer = work.stages[static_cast<std::size_t>(slow)][0].own_layers()[0];
        layer.forward.compute = factor * layer.forward.compute;
        layer.backward.compute = factor * layer.backward.compute;
        INFO("stage " << slow << " of " << stages << ", " << factor);
        const int behind = stages - 1 - slow;
        const double expected =
            3 * (slow + micro_batches * factor) +
            behind * (std::max(0.0, 3 - factor) + std::max(0.0, 3 - 2 * factor));
        CHECK_THAT(simulate(work).total.base(), WithinRel(expected, slow_node_laws_rounding));
        CHECK_THAT(closed_form(work).total.base(), WithinRel(expected, 0.01));
      }
}

TEST_CASE("a slow node or link never shortens a step, and never costs more than its factor") {
  for_each_plan([](const Plan& plan) {
    const double typical = slowed_seconds(plan, {});
    for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage) {
      CHECK(slowed_seconds(plan, {.kernels = 1, .link = 1, .stage = stage}) == typical);
      double node_before = typical;
      double link_before = typical;
      for (const double factor : {1.1, 1.5, 3.0}) {
        const double node = slowed_seconds(plan, {.kernels = factor, .stage = stage});
        const double link = slowed_seconds(plan, {.link = factor, .stage = stage});
        CHECK(node >= node_before * (1 - slow_node_laws_rounding));
        CHECK(link >= link_before * (1 - slow_node_laws_rounding));
        CHECK(node <= factor * typical * (1 + slow_node_laws_rounding));
        CHECK(link <= factor * typical * (1 + slow_node_laws_rounding));
        node_before = node;
        link_before = link;
      }
    }
  });
}
