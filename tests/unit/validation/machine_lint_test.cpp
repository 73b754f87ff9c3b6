#include "sim/validation/machine_lint.hpp"

#include <algorithm>

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

/// Each rule's stated range is that of the shipped files.
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
        "bandwidth of a NIC is 3.2e+03 Gb/s; known machines have 25 to 800 Gb/s: GB/s for Gb/s?");
  CHECK_FALSE(faults_of(cluster)[0].is_impossible);
  cluster.network->nic_bandwidth.value = 50_Gbps;  // 50 GB/s was meant
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
