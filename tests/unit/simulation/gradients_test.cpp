#include "sim/simulation/gradients.hpp"

#include "sim/collectives/algorithm.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "sim/simulation/optimizer.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// A layer of a million parameters: one square matrix.
LayerWork square_layer() {
  LayerWork layer{.name = "square", .parameters = 1e6};
  layer.backward.kernels.push_back({.m = 1000, .n = 1000, .k = 8, .is_weight_gradient = true});
  return layer;
}

struct Setting {
  Plan plan;
  Cluster cluster = toy_machine();
  KernelProfile profile = toy_profile();
  Communicators communicators = place_groups(plan, cluster);

  Machine machine() const {
    return {.plan = plan,
            .accelerator = cluster.accelerator,
            .profile = profile,
            .communicators = communicators};
  }
  GradientTimes times(double stage_parameters = 1e6) const {
    return gradient_times(square_layer(), stage_parameters, machine());
  }
};

Seconds collective(CollectiveKind kind, Bytes payload, RankSet set, int job) {
  return collective_cost(kind, payload, place(set, toy_machine(), job), false).time;
}

constexpr RankSet sixteen{.stride = 1, .count = 16};

}  // namespace

TEST_CASE("gradients are all-reduced in buckets, and at once where nothing overlaps") {
  // Four bytes a parameter: the layer's own 4 MB are more than a bucket of 1 MB.
  Setting plain{.plan = {.data_parallel_size = 16}};
  const Seconds own = collective(CollectiveKind::AllReduce, 4_MB, sixteen, 16);
  CHECK(plain.times(4e6).reduce == own);
  CHECK(plain.times().gather == Seconds{});
  CHECK(plain.times().parameters == Seconds{});
  plain.profile.gradient_bucket.value = 8_MB;
  const Seconds two = collective(CollectiveKind::AllReduce, 8_MB, sixteen, 16);
  CHECK_THAT(plain.times(4e6).reduce / two, WithinRel(0.5, 1e-12));
  CHECK(plain.times(1e6).reduce == own);  // the stage has no second layer
  plain.plan.data_overlap = false;
  const Seconds all = collective(CollectiveKind::AllReduce, 16_MB, sixteen, 16);
  CHECK_THAT(plain.times(4e6).reduce / all, WithinRel(0.25, 1e-12));
}

TEST_CASE("one replica reduces nothing") {
  const Setting alone{.plan = {.tensor_parallel_size = 8}};
  CHECK(alone.times().reduce == Seconds{});
}

TEST_CASE(
    "ZeRO 1 and 2 reduce-scatter and gather parameters after the step, ZeRO 3 before passes") {
  const Seconds scatter = collective(CollectiveKind::ReduceScatter, 4_MB, sixteen, 16);
  const Seconds gather = collective(CollectiveKind::AllGather, 2_MB, sixteen, 16);
  for (const Sharded sharded : {Sharded::Optimizer, Sharded::Gradients}) {
    const Setting zero{.plan = {.data_parallel_size = 16, .sharded = sharded}};
    CHECK(zero.times().reduce == scatter);
    CHECK(zero.times().parameters == gather);
    CHECK(zero.times().gather == Seconds{});
  }
  const Setting full{.plan = {.data_parallel_size = 16, .sharded = Sharded::Parameters}};
  CHECK(full.times().reduce == scatter);
  CHECK(full.times().gather == gather);
  CHECK(full.times().parameters == Seconds{});
}

TEST_CASE("shards within a domain: reduce-scatter inside, all-reduce of a shard between") {
  const Setting hybrid{
      .plan = {.data_parallel_size = 16, .sharded = Sharded::Parameters, .shards_in_domain = true}};
  const Communicator whole = place(sixteen, toy_machine(), 16);
  const Seconds inside = collective(CollectiveKind::ReduceScatter, 4_MB, {1, 8}, 8);
  const Seconds between =
      collective_cost(CollectiveKind::AllReduce, 0.5_MB, between_domains(whole), false).time;
  CHECK_THAT(hybrid.times().reduce / (inside + between), WithinRel(1.0, 1e-12));
  CHECK(hybrid.times().gather == collective(CollectiveKind::AllGather, 2_MB, {1, 8}, 8));
}

TEST_CASE("compressed gradients: smaller payloads, and kernels that make them so") {
  Setting setting{.plan = {.data_parallel_size = 16}};
  const auto reduce = [&](GradientCompression compression) {
    setting.plan.compression = compression;
    return setting.times().reduce;
  };
  const auto moved = [&](Bytes bytes) {
    return memory_time(bytes, setting.cluster.accelerator, setting.profile);
  };
  // A byte a parameter; ten are moved to quantise and back.
  CHECK(reduce(GradientCompression::Int8) ==
        collective(CollectiveKind::AllReduce, 1_MB, sixteen, 16) + moved(10_MB));
  // 10,000 values and indices of 8 bytes from each of 16 ranks.
  CHECK_THAT(
      reduce(GradientCompression::TopK) /
          (collective(CollectiveKind::AllGather, Bytes{16 * 8e4}, sixteen, 16) + moved(32_MB)),
      WithinRel(1.0, 1e-12));
  // Two factors of 1000 x 4.
  CHECK_THAT(reduce(GradientCompression::PowerSgd) /
                 (collective(CollectiveKind::AllReduce, Bytes{32e3}, sixteen, 16) + moved(24_MB)),
             WithinRel(1.0, 1e-12));
}

TEST_CASE("experts' gradients travel among those who hold the same experts") {
  LayerWork experts{.name = "experts", .expert_parameters = 1e6};
  const Setting setting{.plan = {.data_parallel_size = 16, .expert_parallel_size = 8}};
  CHECK(gradient_times(experts, 1e6, setting.machine()).reduce ==
        collective(CollectiveKind::AllReduce, 4_MB, {.stride = 8, .count = 2}, 16));
}

TEST_CASE("the optimizer steps its share, on the device or over the host's link") {
  Setting setting{.plan = {.data_parallel_size = 16}};
  setting.cluster.accelerator.host_link = {20_GBps, "made up"};
  const auto time = [&] { return optimizer_time({.dense = 16e6}, setting.machine()).base() * 1e6; };
  CHECK_THAT(time(), WithinRel(1 + 16e6 * 50 / 500e9 * 1e6, 1e-12));
  setting.plan.sharded = Sharded::Optimizer;
  CHECK_THAT(time(), WithinRel(1 + 100.0, 1e-12));  // 50 MB
  setting.plan.shards_in_domain = true;
  CHECK_THAT(time(), WithinRel(1 + 200.0, 1e-12));
  setting.plan.shards_in_domain = false;
  setting.plan.offloads_optimizer = true;
  // 50 MB at the host's 10 GB/s, and 4 + 2 MB over the link.
  CHECK_THAT(time(), WithinRel(5000 + 300.0, 1e-12));
  CHECK(optimizer_time({}, setting.machine()) == Seconds{});
}
