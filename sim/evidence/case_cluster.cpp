#include "sim/evidence/case_cluster.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tofn {
inline namespace evidence {
namespace {

const Accelerator& named_accelerator(const CsvRow& cells, const Library& library) {
  const std::string name = cells.needed_text("accelerator");
  if (const Accelerator* found = library.find_accelerator(name)) return *found;
  std::vector<std::string> valid;
  for (const Accelerator& each : library.accelerators()) valid.push_back(each.name);
  cells.fail("accelerator", unknown_listed_name("accelerator", name, valid));
}

/// True if tables may state `per_node` for the cluster: the size of its nodes, or of its scale-up
/// domains if those are larger.
bool holds(const Cluster& cluster, int per_node) {
  return cluster.accelerators_per_node.value == per_node ||
         cluster.scale_up.domain_accelerators.value == per_node;
}

/// Rank of a cluster as a substitute for a machine without a description; 0: unfit.
int fitness(const Cluster& cluster, const Accelerator& accelerator, int per_node) {
  const Accelerator& own = cluster.accelerator;
  if (cluster.is_a_view() || own.scale_up_link != accelerator.scale_up_link ||
      own.scale_up_bandwidth.value != accelerator.scale_up_bandwidth.value)
    return 0;
  const int kind = cluster.name.starts_with("dgx") ? 3 : cluster.name.starts_with("hgx") ? 2 : 1;
  return kind + (holds(cluster, per_node) ? 10 : 0) + (own.name == accelerator.name ? 100 : 0);
}

/// The cluster with another accelerator, or with more or fewer of them in a node, and as many NICs
/// for each.
Cluster adapted(Cluster cluster, const Accelerator& accelerator, int per_node) {
  if (cluster.accelerator.name != accelerator.name) {
    cluster.name += " with " + accelerator.name;
    cluster.accelerator = accelerator;
  }
  if (holds(cluster, per_node)) return cluster;
  cluster.name += fmt::format(" at {} per node", per_node);
  if (cluster.network) {
    int& nics = cluster.network->nics_per_node.value;
    nics = std::max(1, nics * per_node / cluster.accelerators_per_node.value);
  }
  cluster.accelerators_per_node.value = per_node;
  cluster.scale_up.domain_accelerators.value = per_node;
  return cluster;
}

/// The most common node with the chip and its own link, for a chip that is in no cluster.
Cluster generic_node(Cluster cluster, const Accelerator& accelerator, int per_node) {
  cluster.name = "a generic node";
  cluster.scale_up.bandwidth = accelerator.scale_up_bandwidth;
  cluster.scale_up.in_switch_reduction = {false, "assumed"};
  return adapted(std::move(cluster), accelerator, per_node);
}

}  // namespace

Cluster case_cluster(const CsvRow& cells, const Library& library) {
  const Accelerator& accelerator = named_accelerator(cells, library);
  const auto stated = cells.count("gpus_per_node");
  const int per_node = stated.value_or(8);
  const Cluster* best = nullptr;
  for (const Cluster& cluster : library.clusters())
    if (const int own = fitness(cluster, accelerator, per_node);
        own > (best == nullptr ? 0 : fitness(*best, accelerator, per_node)))
      best = &cluster;
  if (best == nullptr) {
    const Cluster* typical = library.find_cluster("dgx-h100");
    if (typical == nullptr)
      cells.fail("accelerator",
                 fmt::format("no cluster file has {} or its scale-up link", accelerator.name));
    return generic_node(*typical, accelerator, per_node);
  }
  // A torus has no nodes that tables could state.
  const bool is_torus = best->scale_up.kind == ScaleUpKind::Torus && !stated;
  return adapted(*best, accelerator, is_torus ? best->accelerators_per_node.value : per_node);
}

}  // namespace evidence
}  // namespace tofn
