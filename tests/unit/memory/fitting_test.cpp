#include "sim/memory/fitting.hpp"

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/memory/layers.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

using Changes = std::vector<std::string_view>;

/// Model of 16 layers with 8 MB of state and 8 MB of activations each, of which the attention core
/// has 4 MB and the input 1 MB (with full recomputation). Tensor parallelism splits all but half a
/// megabyte.
std::vector<LayerWork> toy_layers(const Plan& plan) {
  if (plan.tensor_parallel_size > 4) throw InputError("4 heads");
  LayerWork layer;
  layer.count = 16;
  layer.parameters = 8e6 / 18 / plan.tensor_parallel_size;
  layer.forward.kernels = {attention_kernel()};
  const double kept = plan.recompute == Recompute::None        ? 7.5
                      : plan.recompute == Recompute::Selective ? 3.5
                                                               : 0.5;
  const double whole = plan.sequence_parallel ? 0.5 / plan.tensor_parallel_size : 0.5;
  layer.activations = Bytes{1e6 * plan.micro_batch * (kept / plan.tensor_parallel_size + whole)};
  return {layer};
}

Accelerator with_memory(double megabytes) {
  Accelerator accelerator;
  accelerator.memory.value = Bytes{megabytes * 1e6};
  accelerator.scale_up_domain_accelerators.value = 8;
  return accelerator;
}

/// Memory without overheads: states and activations only.
MemoryProfile bare() {
  MemoryProfile profile;
  profile.context = profile.communicator = Bytes{};
  profile.fragmentation = 0;
  return profile;
}

Changes changes_to_fit(const Plan& plan, double megabytes) {
  const auto found = nearest_plan_that_fits(plan, toy_layers, with_memory(megabytes), bare());
  REQUIRE(found);
  CHECK(found->plan.accelerators() == plan.accelerators());
  CHECK(found->plan.global_batch() == plan.global_batch());
  CHECK(fits(found->largest, with_memory(megabytes)));
  return found->changes;
}

}  // namespace

TEST_CASE("what is left is the datasheet's memory less the sum") {
  const Footprint held = largest_footprint(toy_layers({}), {}, bare());
  CHECK(free_memory(held, with_memory(300)).base() == Approx(44e6));
  CHECK(fits(held, with_memory(300)));
  CHECK(free_memory(held, with_memory(200)).base() == Approx(-56e6));
  CHECK_FALSE(fits(held, with_memory(200)));
}

TEST_CASE("a plan that fits is left alone") { CHECK(changes_to_fit({}, 257) == Changes{}); }

TEST_CASE("the cheapest changes are found") {
  // The model has 128 MB of state and 128 MB of activations.
  CHECK(changes_to_fit({}, 200) == Changes{"recompute the attention core"});
  CHECK(changes_to_fit({}, 150) == Changes{"recompute whole layers"});
  Plan wide;
  wide.data_parallel_size = 8;
  CHECK(changes_to_fit(wide, 190) == Changes{"shard the optimizer"}  // 128 * (1 - 2/3 * 7/8) + 128
  );
}

TEST_CASE("micro-batches are halved and accumulated") {
  Plan plan;
  plan.micro_batch = 4;
  plan.recompute = Recompute::Full;
  // The model has 128 MB of state, and 16 MB of activations a sample.
  CHECK(changes_to_fit(plan, 161) == Changes{"halve the micro-batch"});
  CHECK(changes_to_fit(plan, 145) == Changes{"micro-batch 1"});  // better than halving twice
  plan.micro_batch = 3;
  CHECK(changes_to_fit(plan, 161) == Changes{"micro-batch 1"});
  plan.micro_batch = 1.5;  // passes over one sample cannot make up this batch
  CHECK_FALSE(nearest_plan_that_fits(plan, toy_layers, with_memory(145), bare()));
}

TEST_CASE("tensor and pipeline parallelism take replicas") {
  Plan plan;
  plan.data_parallel_size = 2;
  plan.recompute = Recompute::Full;
  plan.sharded = Sharded::Parameters;
  // The plan has 64 MB of state, sixteen bytes a parameter of a layer, and 16 MB of activations.
  CHECK(changes_to_fit(plan, 80) == Changes{"double tp"});
  Accelerator alone = with_memory(80);
  alone.scale_up_domain_accelerators.value = 1;
  CHECK_FALSE(nearest_plan_that_fits(plan, toy_layers, alone, bare()));
  plan.tensor_parallel_size = 4;
  plan.sequence_parallel = true;
  // The plan has 16 + 1.33 + 4 MB, and there are fewer heads than tp 8.
  const auto none = nearest_plan_that_fits(plan, toy_layers, with_memory(10), bare());
  CHECK_FALSE(none);
}

// Twelve of 16 layers are on one stage. Each has 8 MB of state, split by tp, and its input.
TEST_CASE("layers that a plan states stay with its stages, and are spread anew over more of them") {
  Plan plan;
  plan.pipeline_parallel_size = 2;
  plan.data_parallel_size = 2;
  plan.recompute = Recompute::Full;
  plan.stage_layers.counts = {4, 12};
  const auto fitted = [&](double megabytes, int domain) {
    Accelerator accelerator = with_memory(megabytes);
    accelerator.scale_up_domain_accelerators.value = domain;
    const auto found = nearest_plan_that_fits(plan, toy_layers, accelerator, bare());
    REQUIRE(found);
    return *found;
  };
  // Twelve layers with 4 MB of state and 0.75 MB of input are 57 MB for one micro-batch in flight.
  const FittingPlan split = fitted(60, 8);
  CHECK(split.changes == Changes{"double tp"});
  CHECK(split.plan.stage_layers == plan.stage_layers);
  CHECK(split.largest.total().base() == Approx(57e6));
  // Four layers have 8 MB of state and inputs of 1 MB for each of the two micro-batches.
  const FittingPlan spread = fitted(60, 1);
  CHECK(spread.changes == Changes{"double pp"});
  CHECK_FALSE(spread.plan.stage_layers.is_stated());
  CHECK(spread.largest.total().base() == Approx(4 * (8 + 2) * 1e6));
}

TEST_CASE("nothing is offered where nothing fits") {
  CHECK_FALSE(nearest_plan_that_fits({}, toy_layers, with_memory(100), bare()));
}

TEST_CASE("the optimizer goes to the host where nothing cheaper fits and a link leads there") {
  // The optimizer has 12 of 18 bytes a parameter, so 128 MB of state become 42.7, beside 16 MB of
  // activations.
  const Plan alone;
  Accelerator accelerator = with_memory(60);
  CHECK_FALSE(nearest_plan_that_fits(alone, toy_layers, accelerator, bare()));
  accelerator.host_link.value = BytesPerSecond{1e9};
  const auto found = nearest_plan_that_fits(alone, toy_layers, accelerator, bare());
  REQUIRE(found);
  CHECK(found->changes == Changes{"recompute whole layers", "offload the optimizer"});
  CHECK(found->largest.total().base() == Approx(128e6 / 3 + 16e6));
}
