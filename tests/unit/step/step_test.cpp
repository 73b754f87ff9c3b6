#include "sim/step/step.hpp"

#include "sim/collectives/algorithm.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// One layer of 1 + 2 TFLOP; a million parameters, whose 2 MB of gradients travel in two buckets.
Workload toy_workload() {
  Workload made;
  made.name = "toy";
  made.parameters = 1e6;
  made.trainable_parameters = 1e6;
  made.layers.push_back({.name = "layer",
                         .count = 1,
                         .parameters = 1e6,
                         .trainable_parameters = 1e6,
                         .arithmetic = Arithmetic::Matmul,
                         .forward = {1_TFLOP, ""},
                         .backward = {2_TFLOP, ""},
                         .forward_operators = 1,
                         .backward_operators = 2});
  made.gradients = {.bytes_per_parameter = {2, ""},
                    .parameters_bytes_per_parameter = {4, ""},
                    .bucket = {1_MB, ""},
                    .overlapped_bucket = {},
                    .synchronisation = {{.collective = CollectiveKind::AllReduce,
                                         .group = SyncGroup::Data,
                                         .payload = SyncPayload::Gradients,
                                         .overlaps = Overlap::Nothing,
                                         .when = SyncWhen::Always}}};
  made.optimizer = {.bytes_per_parameter = {10, ""}, .sharded_over = Sharding::None};
  made.tensor_parallel = TensorParallelTraffic{.layers = {3, ""},
                                               .forward_collectives = {1, ""},
                                               .backward_collectives = {1, ""},
                                               .payload = {2_MB, ""}};
  made.context_parallel = ContextParallelTraffic{.layers = {3, ""}, .payload = {4_MB, ""}};
  return made;
}

ComputeProfile toy_profile() {
  ComputeProfile profile;
  profile.efficiency = 0.5;
  profile.overhead = 6_ms;
  profile.overlap_loss = 0.25;
  return profile;
}

Plan split(int tensor, int context, int data) {
  return {.tensor_parallel_size = tensor,
          .pipeline_parallel_size = 1,
          .context_parallel_size = context,
          .data_parallel_size = data,
          .gradient_accumulation = 1,
          .micro_batch = 1};
}

StepBreakdown step_of(const Workload& workload, const Plan& plan, const RunSettings& settings = {},
                      const ComputeProfile& profile = toy_profile()) {
  const Cluster toy = toy_machine();
  return StepModel(workload, toy, plan, settings, profile).evaluate();
}

double microseconds(const Cost& cost) { return cost.time.base() * 1e6; }

/// What a collective costs among so many neighbours of a job on the toy; tests/unit/collectives
/// works that out by hand.
double collective_us(CollectiveKind kind, Bytes payload, const Communicator& c) {
  return microseconds(collective_cost(kind, payload, c, false));
}
Communicator neighbours(int ranks) {
  return place({.stride = 1, .count = ranks}, toy_machine(), ranks);
}

}  // namespace

TEST_CASE("a step of one accelerator is arithmetic, overhead and the optimizer") {
  const StepBreakdown step = step_of(toy_workload(), split(1, 1, 1));
  CHECK_THAT(microseconds(step.arithmetic), WithinRel(60e3, 1e-12));  // 3 TFLOP at 50 TFLOP/s
  CHECK_THAT(microseconds(step.overhead), WithinRel(6e3, 1e-12));
  CHECK_THAT(microseconds(step.optimizer), WithinRel(10.0, 1e-12));  // 10 MB at 1 TB/s
  CHECK(step.exposed_communication().time == 0_s);
  CHECK(step.stragglers.time == 0_s);
  CHECK_THAT(microseconds(step.total()), WithinRel(66'010.0, 1e-12));
}

TEST_CASE("gradients that wait cost their whole all-reduce") {
  const double whole = collective_us(CollectiveKind::AllReduce, 2_MB, neighbours(2));
  const StepBreakdown step = step_of(toy_workload(), split(1, 1, 2));
  CHECK_THAT(microseconds(step.gradients), WithinRel(whole, 1e-12));
  CHECK_THAT(microseconds(step.communication_total), WithinRel(whole, 1e-12));
}

TEST_CASE("gradients that overlap cost their last bucket") {
  Workload overlapping = toy_workload();
  overlapping.gradients.synchronisation[0].overlaps = Overlap::Backward;
  const StepBreakdown step = step_of(overlapping, split(1, 1, 2));
  const double bucket = collective_us(CollectiveKind::AllReduce, 1_MB, neighbours(2));
  CHECK_THAT(microseconds(step.gradients), WithinRel(bucket, 1e-12));
  CHECK_THAT(microseconds(step.communication_total), WithinRel(2 * bucket, 1e-12));
  RunSettings settings;
  settings.overlap_gradient_reduction = true;
  CHECK(step_of(toy_workload(), split(1, 1, 2), settings).gradients == step.gradients);
}

TEST_CASE("gradients that outlast the backward pass are exposed") {
  Workload slow = toy_workload();
  slow.gradients.synchronisation[0].overlaps = Overlap::Backward;
  slow.gradients.bytes_per_parameter.value = 20'000;
  slow.gradients.bucket.value = 10_GB;
  // Two buckets of 10 GB; half of 44 ms backward hides before the second.
  const double bucket = collective_us(CollectiveKind::AllReduce, 10_GB, neighbours(2));
  CHECK_THAT(microseconds(step_of(slow, split(1, 1, 2)).gradients),
             WithinRel(2 * bucket - 22'000, 1e-12));
}

TEST_CASE("a reduce-scatter in the domain leaves a shard to reduce between domains") {
  Workload sharded = toy_workload();
  sharded.gradients.synchronisation = {{.collective = CollectiveKind::ReduceScatter,
                                        .group = SyncGroup::Domain,
                                        .payload = SyncPayload::Gradients,
                                        .overlaps = Overlap::Nothing,
                                        .when = SyncWhen::Always},
                                       {.collective = CollectiveKind::AllReduce,
                                        .group = SyncGroup::Between,
                                        .payload = SyncPayload::Shard,
                                        .overlaps = Overlap::Nothing,
                                        .when = SyncWhen::ManyDomains},
                                       {.collective = CollectiveKind::AllGather,
                                        .group = SyncGroup::Domain,
                                        .payload = SyncPayload::Parameters,
                                        .overlaps = Overlap::Nothing,
                                        .when = SyncWhen::Always}};
  const double inside = collective_us(CollectiveKind::ReduceScatter, 2_MB, neighbours(8)) +
                        collective_us(CollectiveKind::AllGather, 4_MB, neighbours(8));
  const double between =
      collective_us(CollectiveKind::AllReduce, 0.25_MB,
                    place({.stride = 8, .count = 2}, toy_machine(), 16));  // one of eight rails
  CHECK_THAT(microseconds(step_of(sharded, split(1, 1, 16)).gradients),
             WithinRel(inside + between, 1e-12));
  CHECK_THAT(microseconds(step_of(sharded, split(1, 1, 8)).gradients), WithinRel(inside, 1e-12));
}

TEST_CASE("a sharded optimizer updates its share") {
  Workload sharded = toy_workload();
  sharded.optimizer.sharded_over = Sharding::Domain;
  CHECK_THAT(microseconds(step_of(sharded, split(1, 1, 16)).optimizer), WithinRel(1.25, 1e-12));
  sharded.optimizer.sharded_over = Sharding::Data;
  CHECK_THAT(microseconds(step_of(sharded, split(1, 1, 16)).optimizer), WithinRel(0.625, 1e-12));
  CHECK_THAT(microseconds(step_of(sharded, split(2, 1, 8)).optimizer), WithinRel(0.625, 1e-12));
}

TEST_CASE("tensor parallel traffic waits, or hides behind the GEMMs") {
  // Of 2 MB, forward and backward in each of three layers.
  const double gathers = 2 * 3 * collective_us(CollectiveKind::AllGather, 2_MB, neighbours(2));
  RunSettings settings;
  settings.tensor_overlap = false;
  const StepBreakdown waiting = step_of(toy_workload(), split(2, 1, 1), settings);
  CHECK_THAT(microseconds(waiting.tensor_parallel), WithinRel(gathers, 1e-12));
  CHECK_THAT(microseconds(waiting.arithmetic), WithinRel(30e3, 1e-12));
  CHECK_THAT(microseconds(waiting.overhead), WithinRel(6e3, 1e-12));
  // The first of two chunks waits, the other hides but for a quarter.
  settings.tensor_overlap = true;
  const StepBreakdown hidden = step_of(toy_workload(), split(2, 1, 1), settings);
  CHECK_THAT(microseconds(hidden.tensor_parallel), WithinRel(gathers * 5 / 8, 1e-12));
  CHECK_THAT(microseconds(hidden.communication_total), WithinRel(gathers, 1e-12));
}

TEST_CASE("keys and values travel around the context ring") {
  // 3 x 1 hops in each of 3 layers, of half of 4 MB: 20 us, the start and hop of Simple, and
  // 2/9 of its ramp; no attention to hide it.
  const double hops = 9 * (8.4 + 3.4 / 1.9 + 20 + 14 * 2.0 / 9);
  const StepBreakdown bare = step_of(toy_workload(), split(1, 2, 1));
  CHECK_THAT(microseconds(bare.context_parallel), WithinRel(hops, 1e-12));
  Workload attentive = toy_workload();
  attentive.layers[0].arithmetic = Arithmetic::Attention;
  CHECK(step_of(attentive, split(1, 2, 1)).context_parallel.time == 0_s);
  // 3 GFLOP over two ranks take 30 us, half of them beside the hop.
  attentive.layers[0].forward.value = Flops{1e9};
  attentive.layers[0].backward.value = Flops{2e9};
  CHECK_THAT(microseconds(step_of(attentive, split(1, 2, 1)).context_parallel),
             WithinRel(hops - 15, 1e-12));
}

TEST_CASE("accumulation repeats the pass and synchronises once") {
  Plan twice = split(1, 1, 2);
  twice.gradient_accumulation = 2;
  const StepBreakdown step = step_of(toy_workload(), twice);
  CHECK_THAT(microseconds(step.arithmetic), WithinRel(120e3, 1e-12));
  CHECK_THAT(microseconds(step.overhead), WithinRel(12e3, 1e-12));
  CHECK_THAT(microseconds(step.gradients),
             WithinRel(collective_us(CollectiveKind::AllReduce, 2_MB, neighbours(2)), 1e-12));
  CHECK_THAT(microseconds(step.optimizer), WithinRel(10.0, 1e-12));
}

TEST_CASE("a job waits for the slowest of its nodes") {
  ComputeProfile uneven = toy_profile();
  uneven.node_spread = 0.01;
  CHECK(step_of(toy_workload(), split(1, 1, 8), {}, uneven).stragglers.time == 0_s);
  // The largest of four normal values is expected 1.03 to 1.05 deviations above the mean.
  CHECK_THAT(microseconds(step_of(toy_workload(), split(1, 1, 32), {}, uneven).stragglers),
             WithinRel(0.0104 * 66e3, 0.01));
}

TEST_CASE("a plan that the workload does not describe is refused") {
  Workload plain = toy_workload();
  plain.tensor_parallel.reset();
  plain.context_parallel.reset();
  CHECK_THROWS_AS(step_of(plain, split(2, 1, 1)), InputError);
  CHECK_THROWS_WITH(step_of(plain, split(2, 1, 1)),
                    Equals("workload toy does not describe tensor parallelism (tp = 2)"));
  CHECK_THROWS_WITH(step_of(plain, split(1, 4, 1)),
                    Equals("workload toy does not describe context parallelism (cp = 4)"));
}

TEST_CASE("evaluation runs forward passes") {
  const Workload made = toy_workload();
  const Cluster toy = toy_machine();
  const StepModel model(made, toy, split(1, 1, 1), {}, toy_profile());
  // 4 x 1 TFLOP at 50 TFLOP/s, and a third of the overhead.
  CHECK_THAT(model.forward_pass(4).base(), WithinRel(0.082, 1e-12));
  CHECK_THAT(model.ideal_arithmetic().base(), WithinRel(0.030, 1e-12));
}
