#include "sim/simulation/dimensioned_step.hpp"

#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_source.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Plan dimensioned_step_pipeline{.pipeline_parallel_size = 4, .gradient_accumulation = 8};

/// A machine on which products take almost all of the time.
Cluster with_fast_memory() {
  Cluster cluster = toy_machine();
  cluster.accelerator.memory_bandwidth.value *= 1e9;
  return cluster;
}

KernelProfile instant_kernels() {
  KernelProfile profile = toy_profile();
  profile.kernel_start.value = Seconds{};
  return profile;
}

}  // namespace

TEST_CASE("a step from dimensions is the one that `tofn step` simulates") {
  const Model model = toy_model();
  const Cluster cluster = toy_machine();
  const KernelProfile profile = toy_profile();
  const DimensionedStep step(model, cluster, dimensioned_step_pipeline, profile);
  CHECK(step.times().total ==
        simulate_step(model, dimensioned_step_pipeline, cluster, profile).times.total);
}

TEST_CASE("products that take longer make a step of products longer by as much") {
  const Model model = toy_model();
  const Cluster cluster = with_fast_memory();
  const KernelProfile profile = instant_kernels();
  const DimensionedStep step(model, cluster, {}, profile);
  const StepTimes slow = step.times({.arithmetic = 1.03});
  CHECK_THAT(slow.total / step.times().total, WithinRel(1.03, 1e-3));
  Seconds sum;
  for (const Seconds part : slow.parts) sum += part;
  CHECK(sum == slow.total);
}

TEST_CASE("forward passes follow each other through the stages") {
  const Model model = toy_model();
  const Cluster cluster = with_fast_memory();
  const KernelProfile profile = instant_kernels();
  const DimensionedStep whole(model, cluster, {}, profile);
  const DimensionedStep staged(model, cluster, dimensioned_step_pipeline, profile);
  // With one stage, passes take the same time however many there are.
  CHECK(whole.forward_pass(1, 1) == whole.forward_pass(1, 8));
  // With four stages, three passes of the slowest stage fill the pipeline, whatever follows.
  const Seconds one = staged.forward_pass(1, 1e9);
  CHECK_THAT(staged.forward_pass(1, 1) / one, WithinRel(4.0, 1e-6));
  CHECK_THAT(staged.forward_pass(1, 6) / one, WithinRel(1.5, 1e-6));
  // No stage does less than its share, nor more than everything.
  CHECK(one * 4 >= whole.forward_pass(1, 1));
  CHECK(one < whole.forward_pass(1, 1));
}
