#pragma once

#include "sim/cluster/cluster.hpp"

namespace tofn::test {

/// A cluster of nodes with eight accelerators of 100 to 500 W, a host of 1 kW and eight NICs of
/// 200 Gb/s, four nodes to a leaf, ports of 10 W; 2 USD/h on demand.
inline Cluster toy_cluster() {
  Cluster cluster;
  cluster.name = "toy";
  cluster.accelerator.name = "chip";
  cluster.accelerator.power = {Watts(500), "datasheet"};
  cluster.accelerator.idle_power = {Watts(100), "datasheet"};
  cluster.accelerators_per_node = {8, "datasheet"};
  cluster.network = Network{};
  cluster.network->nics_per_node = {8, "datasheet"};
  cluster.network->nic_bandwidth = {200.0_Gbps, "datasheet"};
  cluster.network->nodes_per_leaf = {4, "datasheet"};
  cluster.network->oversubscription = {1.0, "datasheet"};
  cluster.power = {.node_maximum = {},
                   .host = Sourced<Watts>{Watts(1000), "meter"},
                   .fans = Sourced<double>{0, "meter"},
                   .switch_port = Sourced<Watts>{Watts(10), "meter"},
                   .facility_factor = Sourced<double>{1.5, "meter"}};
  cluster.prices[0] = {2.0, "price list"};
  return cluster;
}

}  // namespace tofn::test
