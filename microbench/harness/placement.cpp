#include "microbench/harness/placement.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn::bench {

Placement place(std::span<const std::string> host_of_rank, std::optional<int> ranks_per_node) {
  const int ranks = static_cast<int>(host_of_rank.size());
  if (ranks_per_node && ranks % *ranks_per_node != 0)
    throw InputError({}, "--ranks-per-node",
                     fmt::format("{} does not divide the {} ranks", *ranks_per_node, ranks));
  Placement placement;
  std::map<std::string, int> node_of_host;
  std::map<int, int> ranks_of_node;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto& host = host_of_rank[static_cast<std::size_t>(rank)];
    const int node =
        ranks_per_node
            ? rank / *ranks_per_node
            : node_of_host.try_emplace(host, static_cast<int>(node_of_host.size())).first->second;
    placement.node.push_back(node);
    placement.local.push_back(ranks_of_node[node]++);
  }
  placement.nodes = static_cast<int>(ranks_of_node.size());
  return placement;
}

int Placement::ranks_on(int of_node) const {
  return static_cast<int>(std::count(node.begin(), node.end(), of_node));
}

std::string_view to_text(GroupKind kind) {
  for (const auto& [name, each] : group_kinds)
    if (each == kind) return name;
  return {};
}

namespace {

std::optional<int> group_of(const Placement& placement, GroupKind kind, std::size_t rank) {
  switch (kind) {
    case GroupKind::World:
      return 0;
    case GroupKind::Node:
      return placement.node[rank];
    case GroupKind::Leaders:
      return placement.local[rank] == 0 ? std::optional(0) : std::nullopt;
    case GroupKind::Rails:
      return placement.local[rank];
  }
  return {};
}

}  // namespace

Groups groups_of(const Placement& placement, GroupKind kind) {
  Groups groups;
  std::map<int, int> ranks_of_group;
  std::map<int, std::set<int>> nodes_of_group;
  for (std::size_t rank = 0; rank < placement.node.size(); ++rank) {
    const auto group = group_of(placement, kind, rank);
    groups.of_rank.push_back(group);
    if (!group) continue;
    groups.size = std::max(groups.size, ++ranks_of_group[*group]);
    nodes_of_group[*group].insert(placement.node[rank]);
    groups.nodes = std::max(groups.nodes, static_cast<int>(nodes_of_group[*group].size()));
  }
  groups.count = static_cast<int>(ranks_of_group.size());
  return groups;
}

}  // namespace tofn::bench
