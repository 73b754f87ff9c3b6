#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/core/quantity.hpp"

namespace tofn::test {

/// A machine with round figures: nodes and domains of 8, 100 GB/s and 1 us inside (200 GB/s
/// nominal), 10 GB/s and 5 us per accelerator between nodes (4 NICs of 40 GB/s at one half for 8),
/// four nodes on a leaf. Nothing is assumed.
inline Cluster toy_machine() {
  using namespace literals;
  Accelerator accelerator;
  accelerator.name = "toy";
  accelerator.vendor = "NVIDIA";
  accelerator.memory_bandwidth = {1000_GBps, "made up"};
  accelerator.peak[static_cast<std::size_t>(Precision::Bf16)] = {100_TFLOPps, "made up"};
  accelerator.peak[static_cast<std::size_t>(Precision::Fp8)] = {200_TFLOPps, "made up"};
  Cluster cluster;
  cluster.name = "toy";
  cluster.accelerator = accelerator;
  cluster.accelerators_per_node = {8, "made up"};
  cluster.scale_up = {.kind = ScaleUpKind::Switch,
                      .domain_accelerators = {8, "made up"},
                      .bandwidth = {200_GBps, "made up"},
                      .bandwidth_efficiency = {0.5, "made up"},
                      .latency = {1_us, "made up"},
                      .in_switch_reduction = {false, "made up"}};
  cluster.network = Network{.kind = NetworkKind::Infiniband,
                            .nics_per_node = {4, "made up"},
                            .nic_bandwidth = {40_GBps, "made up"},
                            .bandwidth_efficiency = {0.5, "made up"},
                            .latency = {5_us, "made up"},
                            .in_network_reduction = {false, "made up"},
                            .nodes_per_leaf = {4, "made up"},
                            .oversubscription = {2.0, "made up"}};
  return cluster;
}

/// The toy with nodes of four accelerators, and domains of `domain`.
inline Cluster toy_of_four(int domain) {
  Cluster cluster = toy_machine();
  cluster.accelerators_per_node.value = 4;
  cluster.scale_up.domain_accelerators.value = domain;
  return cluster;
}

}  // namespace tofn::test
