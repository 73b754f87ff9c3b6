#include "sim/simulation/accelerator_kind.hpp"
#include "tests/catch.hpp"
#include "tests/laws/step_works.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/mixed_machines.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Replicas of one rank that take three seconds a micro-batch times `factor`.
ReplicaWork replicas(int count, int micro_batches, double factor) {
  StepWork work = plain_work(1, 1, micro_batches);
  LayerTimes& layer = work.stages[0][0].own_layers()[0];
  layer.forward.compute = factor * layer.forward.compute;
  layer.backward.compute = factor * layer.backward.compute;
  return {.replicas = count, .work = work};
}

std::pair<int, int> dealt(ReplicaWork first, ReplicaWork second, int group = 1) {
  std::vector<ReplicaWork> works{std::move(first), std::move(second)};
  deal_by_speed(works, group);
  return {works[0].work.micro_batches, works[1].work.micro_batches};
}

}  // namespace

TEST_CASE("micro-batches are dealt by speed, as many as there were") {
  CHECK(dealt(replicas(1, 6, 1), replicas(1, 6, 2)) == std::pair(8, 4));  // both take 24 s
  CHECK(dealt(replicas(1, 6, 2), replicas(1, 6, 1)) == std::pair(4, 8));
  CHECK(dealt(replicas(1, 5, 1), replicas(1, 5, 1.5)) == std::pair(6, 4));  // both take 18 s
  CHECK(dealt(replicas(1, 7, 1), replicas(1, 7, 1)) == std::pair(7, 7));
  CHECK(dealt(replicas(1, 3, 1), replicas(1, 3, 100)) == std::pair(5, 1));
  CHECK(dealt(replicas(1, 1, 1), replicas(1, 1, 2)) == std::pair(1, 1));
}

// Each of two slow replicas gives one micro-batch for every two that a fast one takes, and so on.
TEST_CASE("different numbers of replicas share out the same sum") {
  CHECK(dealt(replicas(1, 4, 1), replicas(2, 4, 2)) == std::pair(6, 3));  // 18 s both: 6 + 2 x 3
  CHECK(dealt(replicas(4, 5, 1), replicas(2, 5, 3)) == std::pair(7, 1));  // 21 s both: 28 + 2 = 30
  CHECK(dealt(replicas(2, 3, 1), replicas(3, 3, 1.1)) == std::pair(3, 3));
}

TEST_CASE("groups of micro-batches stay whole") {
  CHECK(dealt(replicas(1, 8, 1), replicas(1, 8, 3), 4) == std::pair(12, 4));
  CHECK(dealt(replicas(1, 8, 1), replicas(1, 8, 1.2), 4) == std::pair(8, 8));
}

// Twelve layers on two stages, one of them half as fast: eight of t and four of 2 t.
TEST_CASE("layers move to the faster stages") {
  Model model = toy_model();
  model.parts.erase(model.parts.begin());
  std::get<TransformerLayers>(model.parts[0].shape).count = 12;
  KernelProfile profile = toy_profile();
  profile.kernel_start.value = Seconds{};
  const Plan plan{
      .tensor_parallel_size = 8, .pipeline_parallel_size = 2, .gradient_accumulation = 32};
  for (const int first : {0, 1}) {
    const StageRange held{.first = first, .end = first + 1};
    const MixedNodes mixed{.cluster = half_machine(), .nodes = 1, .stages = held};
    CHECK(with_layers_by_speed(model, plan, toy_machine(), profile, {.mixed = mixed}).layers == 4);
  }
  Cluster fast = toy_machine();  // so fast that it takes all but one layer
  fast.accelerator.memory_bandwidth.value = 100 * fast.accelerator.memory_bandwidth.value;
  for (auto& peak : fast.accelerator.peak)
    if (peak) peak->value = 100 * peak->value;
  fast.scale_up.bandwidth.value = 100 * fast.scale_up.bandwidth.value;
  fast.scale_up.latency.value = Seconds{};
  const MixedNodes faster{.cluster = fast, .nodes = 1, .stages = {.first = 1, .end = 2}};
  CHECK(with_layers_by_speed(model, plan, toy_machine(), profile, {.mixed = faster}).layers == 11);
  const MixedNodes itself{.cluster = toy_machine(), .nodes = 1, .stages = {.first = 1, .end = 2}};
  CHECK_FALSE(with_layers_by_speed(model, plan, toy_machine(), profile, {.mixed = itself}).layers);
}
