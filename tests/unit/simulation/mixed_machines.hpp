#pragma once

#include "sim/simulation/mixed_nodes.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

namespace tofn::test {

/// The toy's nodes with half the rates, half the links, and accelerators of 10 GB.
inline Cluster half_machine() {
  Cluster half = toy_machine();
  half.name = "half";
  half.accelerator.name = "half toy";
  half.accelerator.memory = {Bytes{10e9}, "made up"};
  half.accelerator.memory_bandwidth.value = half.accelerator.memory_bandwidth.value / 2;
  for (auto& peak : half.accelerator.peak)
    if (peak) peak->value = peak->value / 2;
  half.scale_up.bandwidth.value = half.scale_up.bandwidth.value / 2;
  half.network->nic_bandwidth.value = half.network->nic_bandwidth.value / 2;
  return half;
}

}  // namespace tofn::test
