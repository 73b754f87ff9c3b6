#include "sim/simulation/step_energy.hpp"

#include "tests/catch.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/mixed_machines.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// The cluster with accelerators of 100 to 500 W and hosts of 1 kW.
Cluster powered(Cluster cluster) {
  cluster.accelerator.power = {Watts(500), "made up"};
  cluster.accelerator.idle_power = Sourced<Watts>{Watts(100), "made up"};
  cluster.power.host = Sourced<Watts>{Watts(1000), "made up"};
  cluster.power.fans = Sourced<double>{0, "made up"};
  return cluster;
}

}  // namespace

// Three of four nodes are half as fast.
TEST_CASE("both kinds of a mixed job draw for as long as the slower one takes") {
  const Plan plan{.tensor_parallel_size = 8, .data_parallel_size = 4, .gradient_accumulation = 4};
  const SimulatedStep step =
      simulate_step(toy_model(), plan, powered(toy_machine()), toy_profile(),
                    {.mixed = MixedNodes{.cluster = powered(half_machine()), .nodes = 3}});
  const double seconds = step.times.total.base();
  const Energy drawn = energy_of(step);
  CHECK_THAT(drawn.hosts.base(), WithinRel(4 * 1000 * seconds, 1e-12));
  // Each faster accelerator draws 100 + 0.3 x 400 W while it waits.
  const Activity& fast = step.kinds[0].activity;
  const Activity& slow = step.kinds[1].activity;
  const auto watts = [&](const Activity& a) {
    const double computing = a.computing / step.times.total;
    const double launching = a.launching / step.times.total;
    return 100 + 400 * (computing + 0.5 * launching + 0.3 * (1 - computing - launching));
  };
  REQUIRE(fast.computing < slow.computing);
  CHECK_THAT(drawn.accelerators.base(),
             WithinRel((8 * watts(fast) + 24 * watts(slow)) * seconds, 1e-9));
}

// One of four replicas, each on its own node, takes twice as long, and the others wait for it.
TEST_CASE("replicas that wait for a slow node draw as those that wait") {
  const Plan plan{.tensor_parallel_size = 8, .data_parallel_size = 4, .gradient_accumulation = 4};
  const auto step = [&](double factor) {
    return simulate_step(toy_model(), plan, powered(toy_machine()), toy_profile(),
                         {.slow = {.kernels = factor}});
  };
  const SimulatedStep healthy = step(1);
  const SimulatedStep slowed = step(2);
  const double seconds = slowed.times.total.base();
  const auto joules = [&](const Activity& busy) {
    const double computing = busy.computing.base();
    const double launching = busy.launching.base();
    return 100 * seconds +
           400 * (computing + 0.5 * launching + 0.3 * (seconds - computing - launching));
  };
  REQUIRE(healthy.activity.computing < slowed.activity.computing);
  CHECK_THAT(
      energy_of(slowed).accelerators.base(),
      WithinRel(24 * joules(healthy.activity) + 8 * joules(activity_of(slowed.times)), 1e-9));
  CHECK_THAT(slowed.activity.total().base(), WithinRel(seconds, 1e-9));
}
