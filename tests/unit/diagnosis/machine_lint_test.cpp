#include "sim/diagnosis/machine_lint.hpp"

#include <algorithm>
#include <utility>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

const Library& library() {
  static const Library loaded = Library::load(TOFN_SOURCE_DIR "/configs");
  return loaded;
}

Cluster machine_lint_dgx() { return *library().find_cluster("dgx-h100"); }
Accelerator h100() { return *library().find_accelerator("H100 SXM"); }

template <class Machine>
std::string keys_of(const Machine& machine) {
  std::string keys;
  for (const MachineFault& fault : faults_of(machine)) keys += std::string(fault.key) + ' ';
  return keys;
}

/// Checks that the stated range of a rule is that of the shipped files.
template <class Rule, class Machines>
void check_range(const Rule& rule, const Machines& machines) {
  if (rule.is_impossible) return;
  INFO(rule.key << ": " << rule.what);
  double least = 1e300;
  double most = 0;
  for (const auto& machine : machines) {
    if (!rule.applies(machine)) continue;
    least = std::min(least, rule.figure(machine));
    most = std::max(most, rule.figure(machine));
  }
  CHECK_THAT(rule.least, WithinRel(least, 0.005));
  CHECK_THAT(rule.most, WithinRel(most, 0.005));
  CHECK(rule.margin >= 1);
}

}  // namespace

TEST_CASE("shipped machines have no fault") {
  for (const Accelerator& accelerator : library().accelerators()) {
    INFO(accelerator.name);
    CHECK(keys_of(accelerator).empty());
  }
  for (const Cluster& cluster : library().clusters()) {
    INFO(cluster.name);
    CHECK(keys_of(cluster).empty());
  }
}

TEST_CASE("known ranges are those of the shipped files") {
  for (const auto& rule : accelerator_rules()) check_range(rule, library().accelerators());
  for (const auto& rule : cluster_rules()) check_range(rule, library().clusters());
}

TEST_CASE("slips of units in a cluster are found") {
  Cluster cluster = machine_lint_dgx();
  cluster.network->nic_bandwidth.value = 400_GBps;
  REQUIRE(faults_of(cluster).size() == 1);
  CHECK(faults_of(cluster)[0].problem ==
        "bandwidth of a NIC is 3200 Gb/s; known machines have 25 to 800 Gb/s: GB/s for Gb/s?");
  CHECK_FALSE(faults_of(cluster)[0].is_impossible);
  cluster.network->nic_bandwidth.value = 50_Gbps;  // 50 GB/s was intended
  CHECK(keys_of(cluster) == "network.nic_bandwidth ");
  cluster = machine_lint_dgx();
  cluster.scale_up.bandwidth.value = 450_Gbps;
  CHECK(keys_of(cluster) == "scale_up.bandwidth ");
  for (const double slip : {1e3, 1e-3}) {
    cluster = machine_lint_dgx();
    cluster.network->latency.value *= slip;
    cluster.scale_up.latency.value *= slip;
    CHECK(keys_of(cluster) == "scale_up.latency network.latency ");
  }
  cluster = machine_lint_dgx();
  cluster.network->nics_per_node.value = 80;
  CHECK(keys_of(cluster) == "network.nic_bandwidth ");
  cluster = machine_lint_dgx();
  cluster.power.node_maximum->value /= 1000;
  CHECK(keys_of(cluster) == "power.node_maximum ");
  cluster = machine_lint_dgx();
  cluster.scale_up.bandwidth_efficiency.value = 0.1;
  CHECK(keys_of(cluster) == "scale_up.bandwidth_efficiency ");
}

TEST_CASE("slips of units in an accelerator are found") {
  Accelerator accelerator = h100();
  for (auto& peak : accelerator.peak)
    if (peak) peak->value *= 1000;
  CHECK(keys_of(accelerator) == "peak.bf16 ");
  accelerator = h100();
  accelerator.peak[static_cast<std::size_t>(Precision::Fp8)]->value /= 1000;
  CHECK(keys_of(accelerator) == "peak.fp8 ");
  accelerator = h100();
  accelerator.memory.value /= 8;
  CHECK(keys_of(accelerator) == "memory_bandwidth ");
  accelerator = h100();
  accelerator.scale_up_bandwidth.value /= 8;
  CHECK(keys_of(accelerator) == "scale_up.bandwidth ");
  accelerator = h100();
  accelerator.host_link.value /= 8;
  accelerator.power.value *= 1000;
  CHECK(keys_of(accelerator) == "host_link power ");
}

TEST_CASE("rates with sparsity and rates of another precision are found") {
  const auto keys_with = [](std::string_view chip, const auto& slip) {
    Accelerator accelerator = *library().find_accelerator(chip);
    slip(accelerator);
    return keys_of(accelerator);
  };
  const auto rate = [](Accelerator& chip, Precision precision) -> FlopsPerSecond& {
    return chip.peak[static_cast<std::size_t>(precision)]->value;
  };
  // If all rates of an H100 are doubled, its best product, 758 TFLOP/s, is 0.38 of the peak.
  CHECK(keys_with("H100 SXM", [](Accelerator& chip) {
          for (auto& peak : chip.peak)
            if (peak) peak->value *= 2;
        }) == "best_product ");
  // The 74 TFLOP/s in tf32 and 148 in fp16 of an H20 are not half and all of 296.
  CHECK(keys_with("H20 SXM", [&](Accelerator& chip) {
          rate(chip, Precision::Bf16) = rate(chip, Precision::Fp8);
        }) == "peak.tf32 peak.fp16 peak.fp8 ");
  CHECK(keys_with("MI300X", [&](Accelerator& chip) {
          std::swap(rate(chip, Precision::Fp8), rate(chip, Precision::Fp16));
        }) == "peak.fp16 peak.fp8 ");
  CHECK(keys_with("B200", [&](Accelerator& chip) { rate(chip, Precision::Fp4) *= 2; }) ==
        "peak.fp4 ");
}

TEST_CASE("powers and prices of something else are found") {
  Accelerator accelerator = h100();
  accelerator.idle_power->value = 170_W;  // 0.24 of the power
  CHECK(keys_of(accelerator) == "idle_power ");
  accelerator = h100();
  accelerator.power.value = 5600_W;  // power of the node's eight
  CHECK(keys_of(accelerator) == "power ");
  for (const double slip : {0.1, 8.0}) {
    accelerator = h100();
    accelerator.prices[0]->value *= slip;
    CHECK(keys_of(accelerator) == "prices.on_demand ");
  }
  Cluster cluster = *library().find_cluster("aws-p5");
  cluster.prices[static_cast<std::size_t>(PriceTerm::Spot)]->value *= 8;
  CHECK(keys_of(cluster) == "prices.spot ");
  cluster.prices[static_cast<std::size_t>(PriceTerm::OnDemand)]->value *= 8;
  CHECK(keys_of(cluster) == "prices.on_demand ");
}

TEST_CASE("a NIC that no port matches is found, links of a torus are not") {
  Cluster cluster = machine_lint_dgx();
  cluster.network->nic_bandwidth.value = 300_Gbps;
  REQUIRE(faults_of(cluster).size() == 1);
  CHECK(faults_of(cluster)[0].problem ==
        "bandwidth over that of the nearest standard port is 0.75; known machines have 1 to 1: "
        "standard "
        "ports have 10, 25, 40, 50, 56, 100, 200, 400, 800 or 1600 Gb/s");
  cluster = *library().find_cluster("tpu-v4");
  CHECK(cluster.network->nic_bandwidth.value == 360_Gbps);
  CHECK(keys_of(cluster).empty());
}

TEST_CASE("links faster than the memory behind them are impossible") {
  Accelerator accelerator = h100();
  accelerator.scale_up_bandwidth.value = 1.01 * accelerator.memory_bandwidth.value;
  const auto faults = faults_of(accelerator);
  REQUIRE_FALSE(faults.empty());
  CHECK(faults[0].is_impossible);
  CHECK(faults[0].problem ==
        "share of the memory bandwidth is 1.01; it lies in 0 to 1: what is sent must be read from "
        "memory");
}
