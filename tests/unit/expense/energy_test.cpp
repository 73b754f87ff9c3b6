#include "sim/expense/energy.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/expense/toy_cluster.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr Activity ten_seconds{.computing = Seconds(6),
                               .launching = Seconds(2),
                               .communicating = Seconds(1),
                               .idle = Seconds(1)};

}  // namespace

// Shares of 10 s: 6 x 1 + 2 x 0.5 + 1 x 0.3.
TEST_CASE("utilisation weighs what the accelerators do") {
  CHECK_THAT(utilisation(ten_seconds), WithinRel(0.73, 1e-12));
  CHECK(utilisation({}) == 0);
  CHECK_THAT(utilisation(3.0 * ten_seconds), WithinRel(0.73, 1e-12));
}

// An accelerator draws 100 + 0.73 x 400 = 392 W, and 16 draw 6272 W. Two hosts draw 2 kW. 16 NICs
// on one leaf have a port each: 160 W.
TEST_CASE("energy is that of accelerators, hosts and switches, and the site's on top") {
  const MachinePower power = machine_power(toy_cluster(), 16);
  CHECK_THAT(mean_power(power, 0.73).base(), WithinRel(392.0, 1e-12));
  const Energy energy = energy_of(power, ten_seconds);
  CHECK_THAT(energy.accelerators.base(), WithinRel(62720.0, 1e-12));
  CHECK_THAT(energy.hosts.base(), WithinRel(20000.0, 1e-12));
  CHECK_THAT(energy.switches.base(), WithinRel(1600.0, 1e-12));
  CHECK_THAT(energy.facility.base(), WithinRel(42160.0, 1e-12));
  CHECK_THAT(energy.total().base(), WithinRel(126480.0, 1e-12));
  CHECK(power.assumed.empty());
}

TEST_CASE("accelerators draw no more than their site lets them") {
  Cluster limited = toy_cluster();
  limited.accelerator.power_limit = {Watts(300), "made up"};
  CHECK_THAT(mean_power(machine_power(limited, 16), 0.73).base(), WithinRel(246.0, 1e-12));
  limited.accelerator.power_limit->value = Watts(900);
  CHECK_THAT(mean_power(machine_power(limited, 16), 0.73).base(), WithinRel(392.0, 1e-12));
}

TEST_CASE("switches: none in one node, a port for each NIC in a leaf, three through a spine") {
  Cluster cluster = toy_cluster();
  CHECK(machine_power(cluster, 8).switches == Watts());
  CHECK(machine_power(cluster, 9).switches == Watts(160));
  CHECK(machine_power(cluster, 32).switches == Watts(320));
  CHECK(machine_power(cluster, 40).switches == Watts(5 * 8 * 3 * 10));
  cluster.network->oversubscription.value = 2;  // half as many ports to the spine
  CHECK(machine_power(cluster, 40).switches == Watts(5 * 8 * 2 * 10));
  cluster.network->kind = NetworkKind::Torus;
  CHECK(machine_power(cluster, 40).switches == Watts());
  cluster.network.reset();
  CHECK(machine_power(cluster, 8).switches == Watts());
}

// Nodes of Polaris have two NICs for four accelerators and those of p5 32 for eight, so three nodes
// on one leaf have six and 96 ports of 10 W.
TEST_CASE("switches have ports for NICs, however many accelerators share them") {
  Cluster cluster = toy_cluster();
  cluster.accelerators_per_node.value = 4;
  cluster.network->nics_per_node.value = 2;
  CHECK(machine_power(cluster, 12).switches == Watts(60));
  cluster.accelerators_per_node.value = 8;
  cluster.network->nics_per_node.value = 32;
  CHECK(machine_power(cluster, 24).switches == Watts(960));
}

// Ports of 200 Gb/s draw half of the default for 400.
TEST_CASE("what a cluster does not state is usual, and said to be assumed") {
  Cluster cluster = toy_cluster();
  cluster.power = {};
  cluster.accelerator.idle_power.reset();
  const MachinePower power = machine_power(cluster, 16);
  CHECK(power.accelerator_idle == Watts(85));  // 0.17 x 500
  CHECK_THAT(power.hosts.base(), WithinRel(2 * default_host_share * 8 * 500, 1e-12));
  CHECK_THAT(power.switches.base(), WithinRel(16 * 10.7 / 2, 1e-12));
  CHECK(power.facility_factor == 1.2);
  CHECK(power.fans == 0.1);
  CHECK(power.assumed.size() == 5);
  CHECK(machine_power(cluster, 16, 1.05).facility_factor == 1.05);
  CHECK(machine_power(cluster, 16, 1.05).assumed.size() == 4);
}

// The second job uses six accelerators of each of eight nodes of eight: 48 x 392 W, and 16 x 100 W
// idle.
TEST_CASE("the powers of the parts, times the site's factor and the time, are the energy") {
  Cluster cluster = toy_cluster();
  cluster.scale_up.domain_accelerators.value = 8;
  cluster.power.fans->value = 0.25;
  for (const PlacedJob job : {PlacedJob(16), PlacedJob(48, 6)}) {
    const MachinePower power = machine_power(cluster, job);
    const Watts all =
        accelerators_power(power, 0.73) + power.hosts + fans_power(power, 0.73) + power.switches;
    CHECK_THAT(energy_of(power, ten_seconds).total().base(),
               WithinRel(power.facility_factor * all.base() * 10, 1e-12));
  }
  CHECK_THAT(accelerators_power(machine_power(cluster, {48, 6}), 0.73).base(),
             WithinRel(48 * 392.0 + 16 * 100.0, 1e-12));
}

// Accelerators take 62,720 J and hosts 20,000, and fans a quarter of both.
TEST_CASE("fans draw a share of what they cool, and count with the hosts") {
  Cluster cluster = toy_cluster();
  cluster.power.fans->value = 0.25;
  const Energy energy = energy_of(machine_power(cluster, 16), ten_seconds);
  CHECK_THAT(energy.accelerators.base(), WithinRel(62720.0, 1e-12));
  CHECK_THAT(energy.hosts.base(), WithinRel(20000 + 82720.0 / 4, 1e-12));
  CHECK_THAT(energy.nodes().base(), WithinRel(1.25 * 82720.0, 1e-12));
}

TEST_CASE("doubts of time and of power are independent") {
  const Interval alone = with_power_uncertainty(100, {100, 100}, std::log(1.5));
  CHECK_THAT(alone.low, WithinRel(100 / 1.5, 1e-12));
  CHECK_THAT(alone.high, WithinRel(150.0, 1e-12));
  // Logarithms of 0.3 and 0.4 combine to 0.5.
  const Interval both = with_power_uncertainty(1, {std::exp(-0.3), std::exp(0.3)}, 0.4);
  CHECK_THAT(both.low, WithinRel(std::exp(-0.5), 1e-12));
  CHECK_THAT(both.high, WithinRel(std::exp(0.5), 1e-12));
}
