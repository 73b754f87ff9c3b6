#include <cmath>

#include "sim/kernel/stack_figures.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// End of a 90 % interval, in standard deviations of a normal distribution, and of Student's t with
/// five degrees of freedom.
constexpr double ninety_percent = 1.645;
constexpr double ninety_percent_of_t = 2.015;
/// Tolerance relative to an interval's half-width: two standard errors of 4,000 samples, and the
/// parts of a step that the test ignores.
constexpr double little = 0.05;

KernelProfile step_interval_instant_kernels() {
  KernelProfile profile = toy_profile();
  profile.kernel_start.value = Seconds{};
  return profile;
}

Cluster step_interval_with_fast_memory() {
  Cluster cluster = toy_machine();
  cluster.accelerator.memory_bandwidth.value *= 1e9;
  return cluster;
}

SimulatedStep step_on(const Cluster& cluster, const KernelProfile& profile, const Plan& plan = {}) {
  return simulate_step(toy_model(), plan, cluster, profile);
}

/// Checks the ends of the interval of a step whose time is proportional to one figure with this
/// spread.
void check_ends(const SimulatedStep& step, double spread, double end = ninety_percent) {
  const double total = step.times.total.base();
  const double half = end * spread;
  CHECK_THAT(std::log(step.seconds.low / total) / -half, WithinRel(1.0, little));
  CHECK_THAT(std::log(step.seconds.high / total) / half, WithinRel(1.0, little));
}

}  // namespace

TEST_CASE("a step of products alone is in doubt by their 3 %") {
  check_ends(step_on(step_interval_with_fast_memory(), step_interval_instant_kernels()), 0.03);
}

TEST_CASE("a step that waits for memory is in doubt by its 10 %") {
  Cluster cluster = toy_machine();
  for (auto& peak : cluster.accelerator.peak)
    if (peak) peak->value *= 1e9;
  check_ends(step_on(cluster, step_interval_instant_kernels()), 0.10);
}

TEST_CASE("a step that waits for its host is in doubt by its 50 %") {
  KernelProfile profile = step_interval_instant_kernels();
  profile.host_per_kernel = {1_s, "made up"};
  check_ends(step_on(toy_machine(), profile), 0.50);
}

TEST_CASE("a step that waits for links is in doubt by their 15 %, or 30 % of their latency") {
  const Plan plan{.data_parallel_size = 16};
  Cluster narrow = toy_machine();
  narrow.scale_up.bandwidth.value *= 1e-6;
  narrow.network->nic_bandwidth.value *= 1e-6;
  check_ends(step_on(narrow, step_interval_instant_kernels(), plan), 0.15);
  Cluster far = toy_machine();
  far.scale_up.latency.value = 10_s;
  far.network->latency.value = 1000_s;
  check_ends(step_on(far, step_interval_instant_kernels(), plan), 0.30);
}

// The optimizer only moves bytes. If it takes about as long as all products, half of the step is
// uncertain by 3 % and the other half by 10 %.
TEST_CASE("independent doubts add as their squares do") {
  KernelProfile profile = step_interval_instant_kernels();
  const Cluster cluster = step_interval_with_fast_memory();
  const StepTimes bare = step_on(cluster, profile).times;
  profile.optimizer_bytes.value *=
      part(bare.parts, StepPart::Compute) / part(bare.parts, StepPart::Optimizer);
  const SimulatedStep step = step_on(cluster, profile);
  const double total = step.times.total.base();
  const double optimizer = part(step.times.parts, StepPart::Optimizer).base() / total;
  REQUIRE(optimizer > 0.4);
  REQUIRE(optimizer < 0.6);
  const auto end = [&](double sign) {
    const double products = (1 - optimizer) * std::expm1(sign * ninety_percent * 0.03);
    const double memory = optimizer * std::expm1(sign * ninety_percent * 0.10);
    return 1 + sign * std::hypot(products, memory);
  };
  CHECK_THAT((step.seconds.low / total - 1) / (end(-1) - 1), WithinRel(1.0, little));
  CHECK_THAT((step.seconds.high / total - 1) / (end(1) - 1), WithinRel(1.0, little));
}

// Fitted uncertainty replaces the assumption for every stack. If no fitted uncertainty remains,
// only links have any, and one accelerator has none.
TEST_CASE("of a learnt stack only what was learnt of it is in doubt") {
  KernelProfile profile = toy_profile();
  profile.uncertainty.covariance.assign(stack_figures.size() * stack_figures.size(), 0);
  profile.uncertainty.discrepancy = {};
  profile.chips = {{.chip = toy_machine().accelerator.name}};
  const SimulatedStep known = step_on(toy_machine(), profile);
  CHECK_THAT(known.seconds.low, WithinRel(known.times.total.base(), 1e-12));
  CHECK_THAT(known.seconds.high, WithinRel(known.times.total.base(), 1e-12));
  profile.uncertainty.discrepancy.model = 0.2;
  check_ends(step_on(toy_machine(), profile), 0.2, ninety_percent_of_t);
  profile.name = average_stack;
  check_ends(step_on(toy_machine(), profile), 0.2);
}

// Its deviation is given as that of a normal distribution; the tails beyond are those of the t.
TEST_CASE("a measured step keeps its 90 % interval, with longer tails") {
  const StepResponses measured = StepResponses::of_measured(0.1);
  const Interval seconds = step_interval(Seconds{1}, measured, toy_machine());
  CHECK_THAT(std::log(seconds.high) / (ninety_percent * 0.1), WithinRel(1.0, little));
  CHECK_THAT(measured.spreads().stack,
             WithinRel(0.1 * ninety_percent / ninety_percent_of_t, 0.001));
}

// Gradients travel once a step, so they matter less the more micro-batches it has.
TEST_CASE("what a doubt does is of the micro-batches that replicas run") {
  const Model model = toy_model();
  const Cluster cluster = toy_machine();
  const KernelProfile profile = toy_profile();
  const Plan plan{.data_parallel_size = 8};
  std::vector<ReplicaWork> works = replica_works(model, plan, cluster, profile, {});
  const auto slower_links = [&] {
    return StepResponses(model, plan, {cluster, profile, {}}, works).factor({.bandwidth = 0.5});
  };
  const double of_one = slower_links();
  works.front().work.micro_batches = 64;
  const double of_many = slower_links();
  REQUIRE(of_one > 1.01);
  CHECK(of_many < 1 + (of_one - 1) / 8);
}

// The toy's products all take the time of the format, and all other figures are certain.
TEST_CASE("products in fp4 are in doubt as those in fp8 before any step was measured") {
  Cluster cluster = step_interval_with_fast_memory();
  cluster.accelerator.peak[static_cast<std::size_t>(Precision::Fp4)] = {400_TFLOPps, "made up"};
  KernelProfile learned = step_interval_instant_kernels();
  learned.uncertainty.covariance.assign(stack_figures.size() * stack_figures.size(), 0);
  learned.quantise_bytes.value = 0;
  learned.chips.push_back({.chip = cluster.accelerator.name, .factor = 1});
  const auto half_width = [&](Precision precision) {
    const SimulatedStep step = step_on(cluster, learned, {.precision = precision});
    return std::log(step.seconds.high / step.times.total.base());
  };
  const double of_fp8 = half_width(Precision::Fp8);
  const double of_fp4 = half_width(Precision::Fp4);
  CHECK(of_fp4 > of_fp8);
  CHECK(of_fp4 < ninety_percent * stack_figures[fp8_figure].all * (1 + little));
}
