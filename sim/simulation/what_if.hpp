#pragma once

#include <memory>

#include "sim/cluster/cluster.hpp"

namespace tofn {

/// Before a cluster is changed: what was measured on it stays a measurement of it as it was.
inline void keep_measured(Cluster& cluster) {
  if (cluster.measured == nullptr || cluster.measured->on) return;
  cluster.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{cluster.measured->name, cluster.measured->collectives, cluster});
}

}  // namespace tofn
