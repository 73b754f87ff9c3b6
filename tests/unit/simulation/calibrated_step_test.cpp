#include "sim/simulation/calibrated_step.hpp"

#include "sim/collectives/algorithm.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/simulation/toy_workload.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

StepTimes step_of(const Workload& workload, const Plan& plan, const RunSettings& settings = {},
                  const ComputeProfile& profile = toy_compute()) {
  const Cluster toy = toy_machine();
  return CalibratedStep(workload, toy, plan, settings, profile).times();
}

double in_microseconds(Seconds time) { return time.base() * 1e6; }
double in_microseconds(const StepTimes& step, StepPart which) {
  return in_microseconds(part(step.parts, which));
}

/// Microseconds of a collective of a job on the toy; tests/unit/collectives computes it by hand.
double collective_us(CollectiveKind kind, Bytes payload, const Communicator& c) {
  return in_microseconds(collective_cost(kind, payload, c, false).time);
}
Communicator neighbours(int ranks) {
  return place({.stride = 1, .count = ranks}, toy_machine(), ranks);
}

}  // namespace

TEST_CASE("a step of one accelerator is kernels, launches and the optimizer") {
  const StepTimes step = step_of(toy_workload(), split(1, 1, 1));
  CHECK_THAT(in_microseconds(step, StepPart::Compute),
             WithinRel(60e3, 1e-12));  // 3 TFLOP at 50 TFLOP/s
  CHECK_THAT(in_microseconds(step, StepPart::Launch), WithinRel(6e3, 1e-12));
  CHECK_THAT(in_microseconds(step, StepPart::Optimizer),
             WithinRel(10.0 / 0.85, 1e-12));  // 10 MB at 85 % of 1 TB/s
  CHECK(step.exposed().time == 0_s);
  CHECK(step.waiting() == 0_s);
  CHECK_THAT(in_microseconds(step.total), WithinRel(66'000 + 10.0 / 0.85, 1e-12));
}

TEST_CASE("passes last at least as long as the host needs to launch them") {
  const auto launches = [](Seconds host) {
    ComputeProfile profile = toy_compute();
    profile.host = host;
    return in_microseconds(step_of(toy_workload(), split(1, 1, 1), {}, profile), StepPart::Launch);
  };
  // A third of the overhead is forward, beside 20 ms of kernels, and two thirds backward, beside
  // 40 ms.
  CHECK_THAT(launches(90_ms), WithinRel((30e3 - 20e3) + (60e3 - 40e3), 1e-12));
  CHECK_THAT(launches(60_ms), WithinRel(6e3, 1e-12));  // the device's own overhead is longer
}

TEST_CASE("gradients that wait cost their whole all-reduce") {
  const double whole = collective_us(CollectiveKind::AllReduce, 2_MB, neighbours(2));
  const StepTimes step = step_of(toy_workload(), split(1, 1, 2));
  CHECK_THAT(in_microseconds(step, StepPart::Data), WithinRel(whole, 1e-12));
  CHECK_THAT(in_microseconds(step.communication), WithinRel(whole, 1e-12));
}

TEST_CASE("gradients that overlap cost their last bucket, and a tenth of the others' time") {
  Workload overlapping = toy_workload();
  overlapping.gradients.synchronisation[0].overlaps = Overlap::Backward;
  const StepTimes step = step_of(overlapping, split(1, 1, 2));
  const double bucket = collective_us(CollectiveKind::AllReduce, 1_MB, neighbours(2));
  CHECK_THAT(in_microseconds(step, StepPart::Data), WithinRel(1.1 * bucket, 1e-12));
  CHECK_THAT(in_microseconds(step.communication), WithinRel(2 * bucket, 1e-12));
  RunSettings settings;
  settings.overlap_gradient_reduction = true;
  CHECK(part(step_of(toy_workload(), split(1, 1, 2), settings).parts, StepPart::Data) ==
        part(step.parts, StepPart::Data));
}

TEST_CASE("a run that overlaps its reduction has buckets of another size") {
  Workload workload = toy_workload();
  RunSettings overlapping;
  overlapping.overlap_gradient_reduction = true;
  const auto last_bucket = [&](Bytes size) {
    workload.gradients.overlapped_bucket = Sourced<Bytes>{size, ""};
    return in_microseconds(step_of(workload, split(1, 1, 2), overlapping), StepPart::Data);
  };
  const auto reduced = [](Bytes payload) {
    return collective_us(CollectiveKind::AllReduce, payload, neighbours(2));
  };
  CHECK_THAT(last_bucket(2_MB), WithinRel(reduced(2_MB), 1e-12));
  CHECK_THAT(last_bucket(1.2_MB), WithinRel(reduced(2_MB), 1e-12));  // whole layers fill it
  // A layer larger than a bucket leaves in several buckets once it is done.
  CHECK_THAT(last_bucket(0.5_MB), WithinRel(1.1 * 2 * reduced(0.5_MB), 1e-12));
  CHECK_THAT(in_microseconds(step_of(workload, split(1, 1, 2)), StepPart::Data),
             WithinRel(reduced(2_MB), 1e-12));
}

TEST_CASE("gradients that outlast the backward pass are exposed") {
  Workload slow = toy_workload();
  slow.gradients.synchronisation[0].overlaps = Overlap::Backward;
  slow.gradients.bytes_per_parameter.value = 20'000;
  slow.gradients.bucket.value = 10_GB;
  // The first of two buckets of 10 GB is hidden by half of the 44 ms backward.
  const double bucket = collective_us(CollectiveKind::AllReduce, 10_GB, neighbours(2));
  CHECK_THAT(in_microseconds(step_of(slow, split(1, 1, 2)), StepPart::Data),
             WithinRel(2 * bucket - 22'000, 1e-12));
}

TEST_CASE("a reduce-scatter in the node leaves a shard to reduce between nodes") {
  Workload sharded = toy_workload();
  sharded.gradients.synchronisation = {{.collective = CollectiveKind::ReduceScatter,
                                        .group = SyncGroup::Node,
                                        .payload = SyncPayload::Gradients,
                                        .overlaps = Overlap::Nothing,
                                        .when = SyncWhen::Always},
                                       {.collective = CollectiveKind::AllReduce,
                                        .group = SyncGroup::Between,
                                        .payload = SyncPayload::Shard,
                                        .overlaps = Overlap::Nothing,
                                        .when = SyncWhen::ManyNodes},
                                       {.collective = CollectiveKind::AllGather,
                                        .group = SyncGroup::Node,
                                        .payload = SyncPayload::Parameters,
                                        .overlaps = Overlap::Nothing,
                                        .when = SyncWhen::Always}};
  const double inside = collective_us(CollectiveKind::ReduceScatter, 2_MB, neighbours(8)) +
                        collective_us(CollectiveKind::AllGather, 4_MB, neighbours(8));
  const double between =
      collective_us(CollectiveKind::AllReduce, 0.25_MB,
                    place({.stride = 8, .count = 2}, toy_machine(), 16));  // one of eight rails
  CHECK_THAT(in_microseconds(step_of(sharded, split(1, 1, 16)), StepPart::Data),
             WithinRel(inside + between, 1e-12));
  CHECK_THAT(in_microseconds(step_of(sharded, split(1, 1, 8)), StepPart::Data),
             WithinRel(inside, 1e-12));
}

TEST_CASE("a sharded optimizer updates its share") {
  Workload sharded = toy_workload();
  sharded.optimizer.sharded_over = Sharding::Node;
  CHECK_THAT(in_microseconds(step_of(sharded, split(1, 1, 16)), StepPart::Optimizer),
             WithinRel(1.25 / 0.85, 1e-12));
  sharded.optimizer.sharded_over = Sharding::Data;
  CHECK_THAT(in_microseconds(step_of(sharded, split(1, 1, 16)), StepPart::Optimizer),
             WithinRel(0.625 / 0.85, 1e-12));
  CHECK_THAT(in_microseconds(step_of(sharded, split(2, 1, 8)), StepPart::Optimizer),
             WithinRel(0.625 / 0.85, 1e-12));
}

TEST_CASE("local ranks are those of a node, however far the scale-up fabric reaches") {
  Workload sharded = toy_workload();
  sharded.optimizer.sharded_over = Sharding::Node;
  const Cluster rack = toy_of_four(8);
  const CalibratedStep step(sharded, rack, split(1, 1, 8), {}, toy_compute());
  CHECK_THAT(in_microseconds(step.times(), StepPart::Optimizer), WithinRel(2.5 / 0.85, 1e-12));
}

TEST_CASE("tensor parallel traffic waits, or hides behind the GEMMs") {
  // 2 MB are gathered forward and backward in each of three layers.
  const double gathers = 2 * 3 * collective_us(CollectiveKind::AllGather, 2_MB, neighbours(2));
  RunSettings settings;
  settings.tensor_overlap = false;
  const StepTimes waiting = step_of(toy_workload(), split(2, 1, 1), settings);
  CHECK_THAT(in_microseconds(waiting, StepPart::Tensor), WithinRel(gathers, 1e-12));
  CHECK_THAT(in_microseconds(waiting, StepPart::Compute), WithinRel(30e3, 1e-12));
  CHECK_THAT(in_microseconds(waiting, StepPart::Launch), WithinRel(6e3, 1e-12));
  // The first of two chunks is exposed; compute hides the other but loses a quarter.
  settings.tensor_overlap = true;
  const StepTimes hidden = step_of(toy_workload(), split(2, 1, 1), settings);
  CHECK_THAT(in_microseconds(hidden, StepPart::Tensor), WithinRel(gathers * 5 / 8, 1e-12));
  CHECK_THAT(in_microseconds(hidden.communication), WithinRel(gathers, 1e-12));
}

TEST_CASE("keys and values travel around the context ring") {
  // 3 x 1 hops in each of 3 layers carry half of 4 MB: 20 us, the start and hop of Simple, and 2/9
  // of its ramp. No attention hides them.
  const double hops = 9 * (8.4 + 3.4 / 1.9 + 20 + 14 * 2.0 / 9);
  const StepTimes bare = step_of(toy_workload(), split(1, 2, 1));
  CHECK_THAT(in_microseconds(bare, StepPart::Context), WithinRel(hops, 1e-12));
  Workload attentive = toy_workload();
  attentive.layers[0].arithmetic = Arithmetic::Attention;
  // When hidden, it costs the attention beside it a tenth of its time.
  CHECK_THAT(in_microseconds(step_of(attentive, split(1, 2, 1)), StepPart::Context),
             WithinRel(0.1 * hops, 1e-12));
  // 3 GFLOP over two ranks take 30 us, half of them beside the hop.
  attentive.layers[0].forward.value = Flops{0.5e9};
  attentive.layers[0].backward.value = Flops{1e9};
  CHECK_THAT(in_microseconds(step_of(attentive, split(1, 2, 1)), StepPart::Context),
             WithinRel(hops - 15, 1e-12));
}

TEST_CASE("accumulation repeats the pass and synchronises once") {
  Plan twice = split(1, 1, 2);
  twice.gradient_accumulation = 2;
  const StepTimes step = step_of(toy_workload(), twice);
  CHECK_THAT(in_microseconds(step, StepPart::Compute), WithinRel(120e3, 1e-12));
  CHECK_THAT(in_microseconds(step, StepPart::Launch), WithinRel(12e3, 1e-12));
  CHECK_THAT(in_microseconds(step, StepPart::Data),
             WithinRel(collective_us(CollectiveKind::AllReduce, 2_MB, neighbours(2)), 1e-12));
  CHECK_THAT(in_microseconds(step, StepPart::Optimizer), WithinRel(10.0 / 0.85, 1e-12));
}

TEST_CASE("a job waits for the slowest of its nodes") {
  ComputeProfile uneven = toy_compute();
  uneven.node_spread = 0.01;
  const auto waiting = [&](const Plan& plan) {
    return in_microseconds(step_of(toy_workload(), plan, {}, uneven), StepPart::Imbalance);
  };
  CHECK(waiting(split(1, 1, 8)) == 0);
  // The largest of four normal values is expected 1.03 to 1.05 deviations above the mean.
  CHECK_THAT(waiting(split(1, 1, 32)), WithinRel(0.0104 * 66e3, 0.01));
  // Replicas wait for each other, but nodes within one do not: the larger of two is 0.564 above.
  CHECK_THAT(waiting(split(8, 2, 2)), WithinRel(0.00564 * (60e3 / 16 + 6e3), 0.05));
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
  const CalibratedStep step(made, toy, split(1, 1, 1), {}, toy_compute());
  // 4 x 1 TFLOP at 50 TFLOP/s, and a third of the overhead.
  CHECK_THAT(step.forward_pass(4, 1).base(), WithinRel(0.082, 1e-12));
}

namespace {

/// Slices of a step of four samples in fp8 with attention in bf16, at half of the peak and 9 ms of
/// overhead.
std::vector<LayerTimes> calibrated_step_slices_of(const Workload& workload, const Plan& plan) {
  ComputeProfile profile;
  profile.precision = {.matmul = Precision::Fp8, .attention = Precision::Bf16};
  profile.efficiency = 0.5;
  profile.overhead = 9_ms;
  const Cluster toy = toy_machine();
  const CalibratedStep step(workload, toy, plan, {}, profile);
  const StepWork& work = step.work();
  REQUIRE(work.stages.size() == 1);
  REQUIRE(work.stages[0].size() == 1);
  return work.stages[0][0].layers();
}

/// The only slice of a step whose gradients do not overlap.
LayerTimes passes_of(const Workload& workload, const Plan& plan) {
  const std::vector<LayerTimes> slices = calibrated_step_slices_of(workload, plan);
  REQUIRE(slices.size() == 1);
  REQUIRE(slices[0].count == 1);
  return slices[0];
}

Plan of_four(int tensor, int context) {
  Plan plan = split(tensor, context, 1);
  plan.micro_batch = 4;
  return plan;
}

double milliseconds(Seconds time) { return time.base() * 1e3; }

}  // namespace

// The toy has 200 TFLOP/s in fp8 and 100 in bf16.
TEST_CASE("a calibrated pass, by hand") {
  const LayerTimes both = passes_of(attentive_workload(), of_four(1, 1));
  CHECK_THAT(milliseconds(both.forward.compute), WithinRel(160.0, 1e-12));  // 4 x 2/100 + 4 x 1/50
  CHECK_THAT(milliseconds(both.backward.compute), WithinRel(320.0, 1e-12));
  CHECK_THAT(milliseconds(both.forward.launch), WithinRel(3.0, 1e-12));  // 3 of 9 operators
  CHECK_THAT(milliseconds(both.backward.launch), WithinRel(6.0, 1e-12));
  CHECK(both.forward.attention == 0_s);  // no ring overlaps it
}

TEST_CASE("all blocks of attention but the last have a hop of the ring beside them") {
  const LayerTimes both = passes_of(attentive_workload(), of_four(1, 4));
  CHECK_THAT(milliseconds(both.forward.compute), WithinRel(40.0, 1e-12));
  CHECK_THAT(milliseconds(both.forward.attention), WithinRel(20.0 * 3 / 4, 1e-12));
  CHECK_THAT(milliseconds(both.backward.attention), WithinRel(40.0 * 3 / 4, 1e-12));
}

TEST_CASE("splitting a sample splits its kernels but not its launches") {
  const LayerTimes both = passes_of(attentive_workload(), of_four(8, 1));
  CHECK_THAT(milliseconds(both.forward.compute + both.backward.compute), WithinRel(60.0, 1e-12));
  CHECK_THAT(milliseconds(both.forward.launch + both.backward.launch), WithinRel(9.0, 1e-12));
}

TEST_CASE("gradients that overlap cut a pass where a bucket is full") {
  Workload overlapping = attentive_workload();
  overlapping.gradients.synchronisation[0].overlaps = Overlap::Backward;
  Plan plan = of_four(1, 1);
  plan.data_parallel_size = 2;
  // The backward pass begins with the attention, and its first bucket holds one layer of products.
  const std::vector<LayerTimes> slices = calibrated_step_slices_of(overlapping, plan);
  REQUIRE(slices.size() == 2);
  CHECK_THAT(milliseconds(slices[0].forward.compute), WithinRel(40.0, 1e-12));
  CHECK_THAT(milliseconds(slices[1].forward.compute), WithinRel(40.0 + 80, 1e-12));
  CHECK_THAT(milliseconds(slices[0].backward.compute), WithinRel(80.0, 1e-12));
  CHECK_THAT(milliseconds(slices[1].backward.compute), WithinRel(80.0 + 160, 1e-12));
  CHECK_THAT(milliseconds(slices[0].forward.launch), WithinRel(1.0, 1e-12));
  CHECK_THAT(milliseconds(slices[1].backward.launch), WithinRel(4.0, 1e-12));
  CHECK(slices[0].backward.reduce == slices[1].backward.reduce);
  CHECK(calibrated_step_slices_of(overlapping, of_four(1, 1)).size() ==
        1);  // one replica has nothing to reduce
}

TEST_CASE("without operators the launches are halved") {
  Workload uncounted = attentive_workload();
  for (Layer& layer : uncounted.layers) layer.forward_operators = layer.backward_operators = 0;
  const LayerTimes both = passes_of(uncounted, of_four(1, 1));
  CHECK_THAT(milliseconds(both.forward.launch), WithinRel(4.5, 1e-12));
  CHECK_THAT(milliseconds(both.backward.launch), WithinRel(4.5, 1e-12));
}

TEST_CASE("each part of a calibrated step says what it rests on") {
  ComputeProfile profile = toy_compute();
  profile.basis = Basis::Measured;
  profile.overhead_basis = Basis::Interpolated;
  profile.node_spread = 0.01;
  Workload workload = toy_workload();
  const StepTimes step = step_of(workload, split(2, 1, 16), {}, profile);
  CHECK(step.cost(StepPart::Compute).basis == Basis::Measured);
  CHECK(step.cost(StepPart::Launch).basis == Basis::Interpolated);
  CHECK(step.cost(StepPart::Tensor).basis == Basis::Formula);
  CHECK(step.cost(StepPart::Data).basis == Basis::Formula);
  CHECK(step.cost(StepPart::Imbalance).basis == Basis::Assumed);
  CHECK(step.cost(StepPart::Optimizer).basis == Basis::Assumed);
  CHECK(step.cost(StepPart::Context) == Cost{});
  workload.optimizer.bytes_per_parameter.source = "a paper";
  CHECK(step_of(workload, split(1, 1, 1)).cost(StepPart::Optimizer).basis == Basis::Formula);
}
