#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofn::bench {

/// Where the ranks of a job run.
struct Placement {
  std::vector<int> node;   ///< by rank, numbered from 0 in order of appearance
  std::vector<int> local;  ///< by rank: its number among the ranks of its node
  int nodes = 0;

  int ranks() const { return static_cast<int>(node.size()); }
  int ranks_on(int of_node) const;
};

/// A node is a host name; or `ranks_per_node` neighbours, so that the sockets of a machine can
/// stand for nodes. Throws InputError if these do not divide the ranks.
Placement place(std::span<const std::string> host_of_rank, std::optional<int> ranks_per_node);

/// Which ranks take part in one collective together; several groups run at the same time.
enum class GroupKind { World, Node, Leaders, Rails };
inline constexpr std::array<std::pair<std::string_view, GroupKind>, 4> group_kinds{
    {{"world", GroupKind::World},      // all ranks
     {"node", GroupKind::Node},        // the ranks of each node
     {"leaders", GroupKind::Leaders},  // the first rank of every node
     {"rails", GroupKind::Rails}}};    // the i-th ranks of all nodes, for each i
std::string_view to_text(GroupKind);

/// The groups of one kind over a placement, of equal size where the nodes are alike.
struct Groups {
  std::vector<std::optional<int>> of_rank;  ///< absent: this rank does not take part
  int count = 0;
  int size = 0;   ///< ranks of the largest group
  int nodes = 0;  ///< nodes that the largest group spans
};
Groups groups_of(const Placement&, GroupKind);

}  // namespace tofn::bench
