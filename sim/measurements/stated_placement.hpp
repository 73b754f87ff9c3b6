#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/collective_kind.hpp"

namespace tofn {
inline namespace measurements {

/// What a name, a sentence or a command says of a job; `said` is the part that says nodes and
/// ranks.
struct StatedPlacement {
  std::optional<CollectiveKind> collective{};
  std::optional<int> nodes{};
  std::optional<int> ranks_per_node{};
  std::string said{};
  std::optional<int> ranks{};  ///< of all nodes, where they are said by themselves

  /// Those that are said, else nodes x ranks per node; absent too where they exceed ten million.
  std::optional<int> all_ranks() const;
};

/// Of `site-h100-16x8-allreduce-hdr.txt`: 16 nodes x 8 ranks, all-reduce. Names that hold two
/// different NxG say no placement.
StatedPlacement placement_of_name(std::string_view file);

/// Of `... 64 nodes x 4 GH200 ...`, `4 nodes x 36 ranks`, `2 node(s) x 8`, `1 node`.
StatedPlacement placement_of_sentence(std::string_view source);

/// The collective that a program, a title or a word names: `all_reduce_perf`, `Allreduce`, `bcast`;
/// case, `_`, `-` and spaces do not count.
std::optional<CollectiveKind> collective_named(std::string_view name);

/// The name for messages: `all-reduce`.
std::string_view collective_name(CollectiveKind kind);

/// nccl-tests' busbw / algbw.
double bus_factor_of(CollectiveKind kind, int ranks);

}  // namespace measurements
}  // namespace tofn
