#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofn::bench {

/// Nodes and local numbers of the ranks of a job.
struct Placement {
  std::vector<int> node;   ///< by rank, numbered from 0 in order of appearance
  std::vector<int> local;  ///< by rank: its number among the ranks of its node
  int nodes = 0;

  int ranks() const { return static_cast<int>(node.size()); }
  int ranks_on(int of_node) const;
};

/// Places ranks on nodes. A node is a host, or `ranks_per_node` neighbouring ranks, so that the
/// sockets of a machine can stand for nodes. Throws InputError if these do not divide the ranks.
Placement place(std::span<const std::string> host_of_rank, std::optional<int> ranks_per_node);

/// Ranks of one collective; several groups run at the same time.
enum class GroupKind { World, Node, Leaders, Rails };
inline constexpr std::array<std::pair<std::string_view, GroupKind>, 4> group_kinds{
    {{"world", GroupKind::World},      // all ranks
     {"node", GroupKind::Node},        // the ranks of each node
     {"leaders", GroupKind::Leaders},  // the first rank of every node
     {"rails", GroupKind::Rails}}};    // the i-th ranks of all nodes, for each i
std::string_view to_text(GroupKind);

/// Groups of one kind over a placement, equal in size if the nodes are.
struct Groups {
  std::vector<std::optional<int>> of_rank;  ///< absent if the rank does not take part
  int count = 0;
  int size = 0;   ///< ranks of the largest group
  int nodes = 0;  ///< nodes that the largest group spans
};
Groups groups_of(const Placement&, GroupKind);

}  // namespace tofn::bench
