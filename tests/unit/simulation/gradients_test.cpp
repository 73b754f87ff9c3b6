#include "sim/collectives/algorithm.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "sim/simulation/plan_gradients.hpp"
#include "sim/simulation/stage_maker.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// A layer of one square matrix with a million parameters.
LayerWork square_layer() {
  LayerWork layer{.name = "square", .parameters = 1e6};
  layer.backward.kernels.push_back({.m = 1000, .n = 1000, .k = 8, .is_weight_gradient = true});
  return layer;
}

struct Traffic {
  std::vector<LayerTimes> layers;  ///< in forward order
  Seconds after;

  const LayerPass& forward() const { return layers.front().forward; }
  Seconds reduce() const { return layers.front().backward.reduce; }
};

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
  Traffic traffic(const LayerWork& layer = square_layer(), int count = 1) const {
    const Machine on = machine();
    const LayerShare share{.layer = 0, .count = count};
    const LayerTimes time{.name = layer.name, .forward = {}, .backward = {}};
    Traffic found;
    AnsweredCollectives answered;
    found.layers =
        PlanGradients(on, answered).layers({&share, 1}, {&layer, 1}, {&time, 1}, found.after);
    return found;
  }
};

Seconds gradient_collective(CollectiveKind kind, Bytes payload, RankSet set, int job) {
  return collective_cost(kind, payload, place(set, toy_machine(), job), false).time;
}

constexpr RankSet sixteen{.stride = 1, .count = 16};

}  // namespace

TEST_CASE("buckets fill by whole layers in the order of a backward pass") {
  struct Filled {
    std::size_t layer;
    int count;
    double megabytes;
    bool leaves;
    double collectives;
    bool operator==(const Filled&) const = default;
  };
  const auto filled = [](std::vector<TrainedLayers> layers, Bytes bucket) {
    std::vector<Filled> found;
    fill_buckets(layers, bucket, [&](const BucketFilling& next) {
      found.push_back({next.layer, next.count, next.bytes / 1_MB, next.leaves, next.collectives});
    });
    return found;
  };
  // Two of the last layers are 6 MB, and 8 MB with one of the first, whose other one is left.
  CHECK(filled({{2_MB, 2}, {3_MB, 2}}, 7_MB) ==
        std::vector<Filled>{{1, 2, 6, false, 1}, {0, 1, 8, true, 1}, {0, 1, 2, true, 1}});
  // A layer of three and a half buckets leaves in three collectives; frozen layers fill none.
  CHECK(filled({{Bytes{}, 5}, {7_MB, 2}}, 2_MB) ==
        std::vector<Filled>{{1, 1, 7, true, 3}, {1, 1, 7, true, 3}, {0, 5, 0, true, 1}});
}

TEST_CASE("gradients are all-reduced in buckets, and at once where nothing overlaps") {
  // The layer's 4 MB, at four bytes a parameter, are four buckets of 1 MB.
  Setting plain{.plan = {.data_parallel_size = 16}};
  const auto all_reduce = [](Bytes payload) {
    return gradient_collective(CollectiveKind::AllReduce, payload, sixteen, 16);
  };
  CHECK(plain.traffic().reduce() == 4 * all_reduce(1_MB));
  CHECK(plain.traffic().after == Seconds{});
  CHECK(plain.traffic().forward().gather == Seconds{});
  const Traffic four = plain.traffic(square_layer(), 4);
  REQUIRE(four.layers.size() == 1);
  CHECK(four.layers.front().count == 4);
  plain.profile.gradient_bucket.value = 12_MB;
  // The backward pass makes the gradients of three layers before the bucket leaves, then those of
  // the fourth.
  const Traffic three = plain.traffic(square_layer(), 4);
  REQUIRE(three.layers.size() == 3);
  CHECK(three.layers[0].backward.reduce == all_reduce(4_MB));
  CHECK(three.layers[0].count == 1);
  CHECK(three.layers[1].backward.reduce == all_reduce(12_MB));
  CHECK(three.layers[1].count == 1);
  CHECK(three.layers[2].backward.reduce == Seconds{});
  CHECK(three.layers[2].count == 2);
  plain.plan.data_overlap = false;
  const Traffic whole = plain.traffic(square_layer(), 4);
  CHECK(whole.layers.size() == 1);
  CHECK(whole.reduce() == Seconds{});
  CHECK(whole.after == all_reduce(16_MB));
}

TEST_CASE("a bucket grows with the replicas that reduce it, but for one that is stated") {
  Setting growing{.plan = {.data_parallel_size = 16}};
  growing.profile.gradient_bucket_of_a_replica.value = 0.125_MB;
  const Seconds of_two = gradient_collective(CollectiveKind::AllReduce, 2_MB, sixteen, 16);
  CHECK(growing.traffic().reduce() == 2 * of_two);
  growing.profile.state_gradient_bucket({1_MB, "stated"});
  CHECK(growing.traffic().reduce() ==
        4 * gradient_collective(CollectiveKind::AllReduce, 1_MB, sixteen, 16));
}

TEST_CASE("one replica reduces nothing, and a layer without parameters has nothing to reduce") {
  const Setting alone{.plan = {.tensor_parallel_size = 8}};
  CHECK(alone.traffic().reduce() == Seconds{});
  for (const Sharded sharded : {Sharded::Nothing, Sharded::Parameters}) {
    const Setting many{.plan = {.data_parallel_size = 16, .sharded = sharded}};
    LayerWork empty = square_layer();
    empty.parameters = 0;
    CHECK(many.traffic(empty).reduce() == Seconds{});
  }
}

TEST_CASE(
    "ZeRO 1 and 2 reduce-scatter and gather parameters after the step, or beside the next forward "
    "pass; ZeRO 3 before passes") {
  const Seconds scatter = 4 * gradient_collective(CollectiveKind::ReduceScatter, 1_MB, sixteen, 16);
  const Seconds gather = 4 * gradient_collective(CollectiveKind::AllGather, 0.5_MB, sixteen, 16);
  for (const Sharded sharded : {Sharded::Optimizer, Sharded::Gradients}) {
    Setting zero{.plan = {.data_parallel_size = 16, .sharded = sharded}};
    CHECK(zero.traffic().reduce() == scatter);
    CHECK(zero.traffic().after == gather);
    CHECK(zero.traffic().forward().gather == Seconds{});
    zero.plan.parameter_overlap = true;
    CHECK(zero.traffic().after == Seconds{});
    CHECK(zero.traffic().forward().gather == gather);
    CHECK(zero.traffic().layers.front().backward.gather == Seconds{});
  }
  const Setting full{.plan = {.data_parallel_size = 16, .sharded = Sharded::Parameters}};
  const Seconds whole = gradient_collective(CollectiveKind::AllGather, 2_MB, sixteen, 16);
  // Sharded parameters belong to one layer, which leaves by itself: 4 MB at once.
  CHECK(full.traffic().reduce() ==
        gradient_collective(CollectiveKind::ReduceScatter, 4_MB, sixteen, 16));
  CHECK(full.traffic().forward().gather == whole);
  CHECK(full.traffic().layers.front().backward.gather == whole);
  CHECK(full.traffic().after == Seconds{});
}

TEST_CASE("with shards of gradients alone buckets leave as they fill, though nothing overlaps") {
  for (const Sharded sharded : {Sharded::Gradients, Sharded::Parameters}) {
    Setting zero{.plan = {.data_parallel_size = 16, .sharded = sharded}};
    const Traffic overlapped = zero.traffic(square_layer(), 4);
    zero.plan.data_overlap = false;
    const Traffic alone = zero.traffic(square_layer(), 4);
    REQUIRE(alone.layers.size() == overlapped.layers.size());
    CHECK(alone.reduce() == overlapped.reduce());
    CHECK(alone.after == overlapped.after);
  }
}

TEST_CASE("shards within a domain: reduce-scatter inside, all-reduce of a shard between") {
  const Setting hybrid{
      .plan = {.data_parallel_size = 16, .sharded = Sharded::Parameters, .shards_in_domain = true}};
  const Communicator whole = place(sixteen, toy_machine(), 16);
  const Seconds inside = gradient_collective(CollectiveKind::ReduceScatter, 4_MB, {1, 8}, 8);
  const Seconds between =
      collective_cost(CollectiveKind::AllReduce, 0.5_MB, between_domains(whole), false).time;
  CHECK_THAT(hybrid.traffic().reduce() / (inside + between), WithinRel(1.0, 1e-12));
  CHECK(hybrid.traffic().forward().gather ==
        gradient_collective(CollectiveKind::AllGather, 2_MB, {1, 8}, 8));
}

TEST_CASE("shards over so many ranks: reduce-scatter among them, all-reduce between the copies") {
  const Setting grouped{
      .plan = {.data_parallel_size = 32, .sharded = Sharded::Parameters, .shard_ranks = 16}};
  const Seconds within = gradient_collective(CollectiveKind::ReduceScatter, 4_MB, sixteen, 32);
  const Seconds between = gradient_collective(CollectiveKind::AllReduce, 0.25_MB, {16, 2}, 32);
  CHECK_THAT(grouped.traffic().reduce() / (within + between), WithinRel(1.0, 1e-12));
  CHECK(grouped.traffic().forward().gather ==
        gradient_collective(CollectiveKind::AllGather, 2_MB, sixteen, 32));
  // One group of all ranks is no group.
  const Setting all{
      .plan = {.data_parallel_size = 16, .sharded = Sharded::Parameters, .shard_ranks = 16}};
  const Setting typical{.plan = {.data_parallel_size = 16, .sharded = Sharded::Parameters}};
  CHECK(all.traffic().reduce() == typical.traffic().reduce());
  CHECK(all.traffic().forward().gather == typical.traffic().forward().gather);
}

TEST_CASE("compressed gradients: smaller payloads, and kernels that make them so") {
  Setting setting{.plan = {.data_parallel_size = 16}};
  setting.profile.gradient_bucket.value = 4_MB;
  const auto reduce = [&](GradientCompression compression) {
    setting.plan.compression = compression;
    return setting.traffic().reduce();
  };
  const auto moved = [&](Bytes bytes) {
    return memory_time(bytes, setting.cluster.accelerator, setting.profile);
  };
  // One byte a parameter is sent, and ten are moved to quantise and back.
  CHECK(reduce(GradientCompression::Int8) ==
        gradient_collective(CollectiveKind::AllReduce, 1_MB, sixteen, 16) + moved(10_MB));
  // Each of 16 ranks sends 10,000 values and indices of 8 bytes.
  CHECK_THAT(reduce(GradientCompression::TopK) /
                 (gradient_collective(CollectiveKind::AllGather, Bytes{16 * 8e4}, sixteen, 16) +
                  moved(32_MB)),
             WithinRel(1.0, 1e-12));
  // Two factors of 1000 x 4 are sent.
  CHECK_THAT(
      reduce(GradientCompression::PowerSgd) /
          (gradient_collective(CollectiveKind::AllReduce, Bytes{32e3}, sixteen, 16) + moved(24_MB)),
      WithinRel(1.0, 1e-12));
}

TEST_CASE("two factors of rank four stand for each matrix of a layer, or what is smaller") {
  LayerWork layer;
  layer.backward.kernels = {
      {.m = 1000, .n = 1000, .k = 8, .count = 3, .is_weight_gradient = true},
      {.m = 100, .n = 400, .k = 8, .batch = 2, .is_weight_gradient = true},
      {.m = 2, .n = 50, .k = 8, .is_weight_gradient = true},  // 100, and its factors have 208
      {.m = 1000, .n = 1000, .k = 8}};
  const double parameters = 3 * 1e6 + 2 * 4e4 + 100;
  const auto sent = compress(GradientCompression::PowerSgd, layer, parameters, 2, 16);
  CHECK(sent.collective == CollectiveKind::AllReduce);
  CHECK_THAT(sent.payload.base(), WithinRel(2 * (3 * 8000.0 + 2 * 2000 + 100), 1e-12));
}

TEST_CASE("gradients of a layer of four buckets are compressed bucket by bucket") {
  Setting setting{.plan = {.data_parallel_size = 16}};
  setting.plan.compression = GradientCompression::Int8;
  setting.profile.gradient_bucket.value = 1_MB;
  // Each quarter sends a byte a parameter and moves ten to quantise and back.
  const Seconds bucket = gradient_collective(CollectiveKind::AllReduce, 0.25_MB, sixteen, 16) +
                         memory_time(2.5_MB, setting.cluster.accelerator, setting.profile);
  CHECK_THAT(setting.traffic().reduce() / (4 * bucket), WithinRel(1.0, 1e-9));
}

TEST_CASE("experts' gradients travel among those who hold the same experts") {
  LayerWork experts{.name = "experts", .expert_parameters = 1e6};
  const Setting setting{.plan = {.data_parallel_size = 16, .expert_parallel_size = 8}};
  CHECK(setting.traffic(experts).reduce() ==
        4 * gradient_collective(CollectiveKind::AllReduce, 1_MB, {.stride = 8, .count = 2}, 16));
}

TEST_CASE("the optimizer steps its share, on the device or over the host's link") {
  Setting setting{.plan = {.data_parallel_size = 16}};
  setting.cluster.accelerator.host_link = {20_GBps, "made up"};
  const auto time = [&] { return optimizer_time({.dense = 16e6}, setting.machine()).base() * 1e6; };
  CHECK_THAT(time(), WithinRel(1 + 16e6 * 50 / 500e9 * 1e6, 1e-12));
  setting.plan.sharded = Sharded::Optimizer;
  CHECK_THAT(time(), WithinRel(1 + 100.0, 1e-12));  // 50 MB
  Setting in_domain{
      .plan = {.data_parallel_size = 16, .sharded = Sharded::Optimizer, .shards_in_domain = true}};
  CHECK_THAT(optimizer_time({.dense = 16e6}, in_domain.machine()).base() * 1e6,
             WithinRel(1 + 200.0, 1e-12));
  const Setting grouped{
      .plan = {.data_parallel_size = 16, .sharded = Sharded::Optimizer, .shard_ranks = 4}};
  CHECK_THAT(optimizer_time({.dense = 16e6}, grouped.machine()).base() * 1e6,
             WithinRel(1 + 400.0, 1e-12));
  setting.plan.offloads_optimizer = true;
  // The host moves 50 MB at 10 GB/s, and the link 4 + 2 MB.
  CHECK_THAT(time(), WithinRel(5000 + 300.0, 1e-12));
  CHECK(optimizer_time({}, setting.machine()) == Seconds{});
}

TEST_CASE("the optimizer moves less where gradients and its state are kept in 16 bits") {
  Setting setting{.plan = {.data_parallel_size = 16}};
  const auto bytes = [&] {
    return (optimizer_time({.dense = 16e6}, setting.machine()).base() * 1e6 - 1) / 32;
  };
  setting.plan.kept_moments = KeptFormat::Bf16;  // both read and written
  CHECK_THAT(bytes(), WithinRel(50.0 - 2 * 2 * 2, 1e-9));
  setting.plan.kept_master = KeptFormat::Bf16;
  CHECK_THAT(bytes(), WithinRel(42.0 - 2 * 2, 1e-9));
  setting.plan.kept_gradients = KeptFormat::Bf16;
  CHECK_THAT(bytes(), WithinRel(38.0 - 7 * 2, 1e-9));
}

TEST_CASE("another optimizer moves what it moves more or less than AdamW, and Muon multiplies") {
  Setting setting{.plan = {.data_parallel_size = 16}};
  const auto time = [&](const TrainedParameters& parameters) {
    return optimizer_time(parameters, setting.machine()).base() * 1e6;
  };
  setting.plan.optimizer = OptimizerKind::Sgd;  // 12 bytes rather than 28
  CHECK_THAT(time({.dense = 16e6}), WithinRel(1 + 16e6 * (50 - 16) / 500e9 * 1e6, 1e-12));
  setting.plan.optimizer = OptimizerKind::Muon;
  const TrainedParameters matrices{.dense = 16e6, .orthogonalised = Flops{3e9}};
  const double moved = 1 + 16e6 * (50 - 4) / 500e9 * 1e6;
  const double products =
      product_time(Flops{5 * 3e9}, setting.cluster.accelerator, setting.profile).base() * 1e6;
  CHECK(products > 0);
  CHECK_THAT(time(matrices), WithinRel(moved + products, 1e-12));
  setting.plan.sharded = Sharded::Optimizer;
  CHECK_THAT(time(matrices), WithinRel(1 + (moved - 1 + products) / 16, 1e-12));
}
