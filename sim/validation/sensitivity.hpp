#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace tofn {

/// A number of a cluster's file, and how to ask what it is good for.
struct ClusterKey {
  std::string_view key;
  bool (*is_stated)(const Cluster&);
  void (*scale)(Cluster&, double factor);  ///< counts stay 1 or more, shares at most 1
  bool (*may_be_idle)(const Cluster&);     ///< where no collective need depend on it
  std::string_view idle_because;           ///< empty: it never may
};

std::span<const ClusterKey> cluster_keys();

/// The stated keys of which neither twice nor half the value changes the time of any collective,
/// from 8 B to 1 GiB, over two ranks, a node, a domain, two domains and two leaves.
std::vector<ClusterKey> insensitive_keys(const Cluster&);

}  // namespace tofn
