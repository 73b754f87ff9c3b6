#include "sim/simulation/mixed_nodes.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr std::size_t slow_node_tensor = 0;

StepWork slowed_step(const Plan& plan, const SlowNode& slow = {}) {
  return step_work(toy_model(), plan, toy_machine(), toy_profile(), slow);
}

const LayerTimes& slow_node_layer(const StepWork& work, std::size_t stage) {
  for (const LayerTimes& each : work.stages.at(stage).at(0).layers())
    if (each.name == "layer") return each;
  FAIL("no layer");
  return work.stages[0][0].layers()[0];
}

std::pair<int, int> slow_stages(const Plan& plan, int stage) {
  const StageRange held = stages_of({.kernels = 1.5, .stage = stage}, plan, toy_machine());
  return {held.first, held.end};
}

}  // namespace

TEST_CASE("kernels of a slow node's stage take longer, its traffic does not") {
  const Plan plan{.tensor_parallel_size = 8, .pipeline_parallel_size = 2};
  const StepWork typical = slowed_step(plan);
  const StepWork slow = slowed_step(plan, {.kernels = 1.5, .stage = 1});
  CHECK(slow_node_layer(slow, 0).backward.compute == slow_node_layer(typical, 0).backward.compute);
  CHECK(slow.optimizer[0] == typical.optimizer[0]);
  CHECK_THAT(slow_node_layer(slow, 1).forward.compute / slow_node_layer(typical, 1).forward.compute,
             WithinRel(1.5, 1e-12));
  CHECK_THAT(slow_node_layer(slow, 1).backward.weight_gradients /
                 slow_node_layer(typical, 1).backward.weight_gradients,
             WithinRel(1.5, 1e-12));
  CHECK_THAT(slow.optimizer[1] / typical.optimizer[1], WithinRel(1.5, 1e-12));
  CHECK(slow_node_layer(slow, 1).forward.exposed[slow_node_tensor] ==
        slow_node_layer(typical, 1).forward.exposed[slow_node_tensor]);
  CHECK(slow.send == typical.send);
}

TEST_CASE("a slow node holds the stages that its ranks are in") {
  const Plan two{.tensor_parallel_size = 8, .pipeline_parallel_size = 4};
  CHECK(slow_stages(two, 2) == std::pair(2, 3));
  // Four stages of two ranks fill one node; four stages of six ranks span three nodes of eight.
  CHECK(slow_stages({.tensor_parallel_size = 2, .pipeline_parallel_size = 4}, 3) ==
        std::pair(0, 4));
  const Plan six{.pipeline_parallel_size = 4, .data_parallel_size = 6};
  CHECK(slow_stages(six, 0) == std::pair(0, 2));
  CHECK(slow_stages(six, 2) == std::pair(1, 3));
  CHECK(slow_stages(six, 3) == std::pair(2, 4));
  CHECK(slow_stages({.data_parallel_size = 64}, 0) == std::pair(0, 1));
  CHECK(refusal([&] { slow_stages(two, 4); }) ==
        "--slow-stage: there is no stage 5: the plan has 4");
}

TEST_CASE("collectives that cross a slow NIC take as long as if all were slow") {
  const Plan plan{.pipeline_parallel_size = 2, .data_parallel_size = 16};
  const StepWork typical = slowed_step(plan);
  const StepWork slow = slowed_step(plan, {.link = 2, .stage = 1});
  Cluster slower = toy_machine();
  slower.network->nic_bandwidth = {20_GBps, "made up"};
  const StepWork all = step_work(toy_model(), plan, slower, toy_profile());
  CHECK(slow_node_layer(slow, 1).backward.reduce == slow_node_layer(all, 1).backward.reduce);
  CHECK(slow_node_layer(slow, 1).backward.reduce > slow_node_layer(typical, 1).backward.reduce);
  CHECK(slow_node_layer(slow, 0).backward.reduce == slow_node_layer(typical, 0).backward.reduce);
  CHECK(slow_node_layer(slow, 1).backward.compute == slow_node_layer(typical, 1).backward.compute);
  CHECK(slow.send.at(0) == all.send.at(0));
  CHECK(slow.send.at(0) > typical.send.at(0));
  CHECK(slow.after == all.after);
}

TEST_CASE("only sends over a slow link take longer") {
  const Plan plan{.pipeline_parallel_size = 4, .data_parallel_size = 8};
  const StepWork typical = slowed_step(plan);
  const StepWork slow = slowed_step(plan, {.link = 2, .stage = 3});
  CHECK(slow.send[0] == typical.send[0]);
  CHECK(slow.send[1] == typical.send[1]);
  CHECK(slow.send[2] > typical.send[2]);
}

TEST_CASE("where the job does without a network the slow link is one of the node's") {
  const Plan plan{.tensor_parallel_size = 8};
  const StepWork typical = slowed_step(plan);
  const StepWork slow = slowed_step(plan, {.link = 2});
  CHECK(slow_node_layer(slow, 0).forward.exposed[slow_node_tensor] >
        slow_node_layer(typical, 0).forward.exposed[slow_node_tensor]);
  CHECK(slow_node_layer(slow, 0).forward.exposed[slow_node_tensor] <=
        2 * slow_node_layer(typical, 0).forward.exposed[slow_node_tensor]);
}

// If the best product stayed as fast, a lower peak would count as a better use of it.
TEST_CASE("all kernels of a chip whose best product is known take as many times as long") {
  Accelerator chip = toy_machine().accelerator;
  KernelProfile profile = toy_profile();
  profile.best_product_share = {0.7, "made up"};
  for (const Precision precision : {Precision::Bf16, Precision::Fp8}) {
    chip.best_product = {0.7 * chip.peak_at(Precision::Bf16), "made up"};
    chip.best_fp8_product = chip.best_product;
    StepCase step{.model = toy_model(), .plan = Plan{}, .cluster = toy_machine(), .measured = {}};
    step.plan.precision = precision;
    step.cluster.accelerator = chip;
    const double typical = closed_step(step, profile).base();
    KernelProfile slower = profile;
    slow_down(step.cluster.accelerator, slower, 1.5);
    CHECK_THAT(closed_step(step, slower).base() / typical, WithinRel(1.5, 1e-9));
  }
}
