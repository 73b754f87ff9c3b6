#include "sim/simulation/mixed_nodes.hpp"

#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/mixed_machines.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

MixedNodes half_nodes(int nodes, StageRange stages = {}) {
  return {.cluster = half_machine(), .nodes = nodes, .stages = stages};
}

/// A profile whose kernels start at once, so that half the rates double their time.
KernelProfile rates_alone() {
  KernelProfile profile = toy_profile();
  profile.kernel_start.value = Seconds{};
  return profile;
}

std::vector<ReplicaWork> works(const Plan& plan, const MixedNodes& mixed) {
  return replica_works(toy_model(), plan, toy_machine(), rates_alone(), {.mixed = mixed});
}

StepWork work_on(const Cluster& cluster, const Plan& plan) {
  return step_work(toy_model(), plan, cluster, rates_alone());
}

const LayerTimes& layer(const StepWork& work, std::size_t stage) {
  for (const LayerTimes& each : work.stages.at(stage).at(0).layers())
    if (each.name == "layer") return each;
  FAIL("no layer");
  return work.stages[0][0].layers()[0];
}

std::string refused(const Plan& plan, const MixedNodes& mixed, const Cluster& own = toy_machine()) {
  return refusal([&] { check_mixed(mixed, plan, own); });
}

}  // namespace

TEST_CASE("stages on the other kind compute and send at its pace, the others at their own") {
  const Plan plan{.tensor_parallel_size = 4, .pipeline_parallel_size = 4, .data_parallel_size = 2};
  const auto mixed = works(plan, half_nodes(2, {.first = 2, .end = 4}));
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].replicas == 2);
  const StepWork& work = mixed[0].work;
  const StepWork own = work_on(toy_machine(), plan);
  const StepWork half = work_on(half_machine(), plan);
  for (const std::size_t stage : {0, 1, 2, 3}) {
    const StepWork& like = stage < 2 ? own : half;
    CHECK(layer(work, stage).forward.compute == layer(like, stage).forward.compute);
    CHECK(layer(work, stage).forward.exposed == layer(like, stage).forward.exposed);
    CHECK(layer(work, stage).backward.reduce == layer(like, stage).backward.reduce);
    CHECK(work.optimizer[stage] == like.optimizer[stage]);
  }
  CHECK_THAT(layer(work, 3).backward.compute / layer(work, 0).backward.compute,
             WithinRel(2.0, 1e-12));
  CHECK(work.send[0] == own.send[0]);
  CHECK(work.send[1] == half.send[1]);  // that of the slower end
  CHECK(work.send[2] == half.send[2]);
  CHECK(work.after.front() == half.after.front());  // tied embeddings, between both kinds
}

TEST_CASE("what a stack is known to do on a chip holds for that chip's stages alone") {
  const Plan plan{.tensor_parallel_size = 4, .pipeline_parallel_size = 4, .data_parallel_size = 2};
  const MixedNodes mixed = half_nodes(2, {.first = 2, .end = 4});
  KernelProfile known = rates_alone();
  known.chips.push_back({.chip = half_machine().accelerator.name, .factor = 1.5});
  const StepWork before = works(plan, mixed)[0].work;
  const StepWork after =
      replica_works(toy_model(), plan, toy_machine(), known, {.mixed = mixed})[0].work;
  for (const std::size_t stage : {0, 1, 2, 3}) {
    const double factor = stage < 2 ? 1 : 1.5;
    CHECK_THAT(after.optimizer[stage] / before.optimizer[stage], WithinRel(factor, 1e-12));
    CHECK_THAT(layer(after, stage).forward.compute / layer(before, stage).forward.compute,
               WithinRel(factor, 1e-12));
  }
}

TEST_CASE("replicas on both kinds compute at their own pace and reduce at the slower one's") {
  const Plan plan{.data_parallel_size = 32};
  const auto mixed = works(plan, half_nodes(1));
  REQUIRE(mixed.size() == 2);
  CHECK(mixed[0].replicas == 24);
  CHECK(mixed[1].replicas == 8);
  const StepWork own = work_on(toy_machine(), plan);
  const StepWork half = work_on(half_machine(), plan);
  CHECK(layer(mixed[0].work, 0).forward.compute == layer(own, 0).forward.compute);
  CHECK(layer(mixed[1].work, 0).forward.compute == layer(half, 0).forward.compute);
  for (const ReplicaWork& each : mixed)
    CHECK(layer(each.work, 0).backward.reduce == layer(half, 0).backward.reduce);
  CHECK(layer(own, 0).backward.reduce < layer(half, 0).backward.reduce);
}

TEST_CASE("between two kinds of nodes every figure is the slower one's") {
  Cluster own = toy_machine();
  own.network->latency.value = 9_us;
  own.network->in_network_reduction.value = true;
  Cluster other = half_machine();
  other.network->nodes_per_leaf.value = 2;
  other.network->oversubscription.value = 1;
  for (const Cluster& both : {joined(own, other), joined(other, own)}) {
    CHECK(both.network->nic_bandwidth.value == 20_GBps);
    CHECK(both.network->latency.value == 9_us);
    CHECK(both.network->nodes_per_leaf.value == 2);
    CHECK(both.network->oversubscription.value == 2);
    CHECK_FALSE(both.network->in_network_reduction.value);
    CHECK(both.scale_up.bandwidth.value == 100_GBps);
  }
}

TEST_CASE("nodes that do not make up a job are refused") {
  const Plan replicas{.data_parallel_size = 32};
  CHECK(refused(replicas, half_nodes(3)) == "accepted");
  CHECK(refused(replicas, half_nodes(4)) ==
        "--mixed-with: 4 nodes of half leave none of toy: the job has 4");
  CHECK(refused({.data_parallel_size = 12}, half_nodes(1)) ==
        "--mixed-with: 12 accelerators do not fill nodes of 8");
  CHECK(
      refused(replicas, half_nodes(1), toy_of_four(4)) ==
      "--mixed-with: nodes of half hold 8 accelerators, those of toy hold 4: a job needs nodes of "
      "one size");
  MixedNodes wide = half_nodes(1);
  wide.cluster.scale_up.domain_accelerators.value = 16;
  CHECK(refused(replicas, wide) ==
        "--mixed-with: scale-up domains of half join 16 accelerators, those of toy join 8: a job "
        "needs one size");
  MixedNodes alone = half_nodes(1);
  alone.cluster.network.reset();
  CHECK(refused(replicas, alone) == "--mixed-with: cluster half has no network");
  const Plan wide_replicas{
      .tensor_parallel_size = 8, .context_parallel_size = 2, .data_parallel_size = 2};
  CHECK(refused(wide_replicas, half_nodes(1)) ==
        "--mixed-with: whole replicas of 16 accelerators in 1 stage do not fill 1 node of half; "
        "--other-stages gives stages instead");
  const Plan experts{.data_parallel_size = 32, .expert_parallel_size = 16};
  CHECK(refused(experts, half_nodes(2)) == "accepted");
  CHECK(refused(experts, half_nodes(1)) ==
        "--mixed-with: groups of ep = 16 ranks would have experts on both kinds");
}

TEST_CASE("stages that the other nodes cannot hold are refused") {
  const Plan plan{.tensor_parallel_size = 8, .pipeline_parallel_size = 4};
  CHECK(refused(plan, half_nodes(2, {.first = 2, .end = 4})) == "accepted");
  CHECK(refused(plan, half_nodes(1, {.first = 2, .end = 4})) ==
        "--other-stages: stages 3..4 lie on 2 nodes, not on 1");
  CHECK(refused(plan, half_nodes(2, {.first = 3, .end = 5})) ==
        "--other-stages: there is no stage 5: the plan has 4");
  CHECK(refused({.tensor_parallel_size = 4, .pipeline_parallel_size = 4},
                half_nodes(1, {.first = 2, .end = 4})) ==
        "--mixed-with: 2 nodes do not divide into 4 stages: some would hold two");
  MixedNodes dealt = half_nodes(2, {.first = 2, .end = 4});
  dealt.deals_by_speed = true;
  CHECK(refused(plan, dealt) == "accepted");
  Plan chunks = plan;
  chunks.chunks_per_stage = 2;
  CHECK(refused(chunks, dealt) ==
        "--balance: moves layers between stages, and interleaving in 2 chunks wants equal ones");
  MixedNodes sharded = half_nodes(1);
  sharded.deals_by_speed = true;
  CHECK(
      refused({.data_parallel_size = 32, .sharded = Sharded::Parameters}, sharded) ==
      "--balance: sharded gradients or parameters travel with each micro-batch: all replicas need "
      "as many");
}

TEST_CASE(
    "layers of the other nodes' stages are spread evenly among these, the rest among the rest") {
  const Plan plan{.tensor_parallel_size = 8, .pipeline_parallel_size = 5};
  MixedNodes mixed = half_nodes(2, {.first = 1, .end = 3});
  CHECK_FALSE(stage_layers(mixed, plan, 24).is_stated());
  mixed.layers = 5;
  CHECK(stage_layers(mixed, plan, 24).counts == std::vector{6, 2, 3, 6, 7});
  for (const auto& [layers, is_fine] : {std::pair(1, false), {2, true}, {21, true}, {22, false}}) {
    mixed.layers = layers;
    CHECK((refusal([&] { stage_layers(mixed, plan, 24); }) == "accepted") == is_fine);
  }
  CHECK(refusal([&] { stage_layers(mixed, plan, 24); }) ==
        "--other-layers: stages 2..3 can hold 2 to 21 of 24 layers, not 22");
  Plan chunks = plan;
  chunks.chunks_per_stage = 2;
  CHECK(refused(chunks, mixed) ==
        "--other-layers: moves layers between stages, and interleaving in 2 chunks wants equal "
        "ones");
}

TEST_CASE("a mixed step names each precision that its chips run in, once") {
  Model model = toy_model();
  model.precision = Precision::Fp8;
  const Plan plan{.data_parallel_size = 32};
  MixedNodes mixed = half_nodes(1);
  const auto precisions = [&] {
    return simulate_step(model, plan, toy_machine(), toy_profile(), {.mixed = mixed}).precisions();
  };
  using Names = std::vector<std::string_view>;
  CHECK(precisions() == Names{"fp8"});
  mixed.cluster.accelerator.peak[static_cast<std::size_t>(Precision::Fp8)].reset();
  CHECK(precisions() == Names{"fp8", "bf16"});
  CHECK(simulate_step(model, plan, toy_machine(), toy_profile()).precisions() == Names{"fp8"});
}
