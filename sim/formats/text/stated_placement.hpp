#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/collective_kind.hpp"
#include "sim/core/name_table.hpp"

namespace tofn {
inline namespace formats {

/// Facts about a job from a name, a sentence or a command. `stated` is the part that states nodes
/// and ranks.
struct StatedPlacement {
  std::optional<CollectiveKind> collective{};
  std::optional<int> nodes{};
  std::optional<int> ranks_per_node{};
  std::string stated{};
  std::optional<int> ranks{};  ///< total, if stated separately

  /// Returns the stated ranks, otherwise nodes x ranks per node; absent also above ten million.
  std::optional<int> all_ranks() const;
};

/// Reads a file name such as `site-h100-16x8-allreduce-hdr.txt`: 16 nodes x 8 ranks, all-reduce. A
/// name with two different NxG states no placement.
StatedPlacement placement_of_name(std::string_view file);

/// Reads a sentence such as `... 64 nodes x 4 GH200 ...`, `4 nodes x 36 ranks`, `2 node(s) x 8`, `1
/// node`.
StatedPlacement placement_of_sentence(std::string_view source);

/// Returns the collective of a program, title or word: `all_reduce_perf`, `Allreduce`, `bcast`;
/// case, `_`, `-` and spaces do not matter.
std::optional<CollectiveKind> collective_named(std::string_view name);

/// Returns the name for messages: `all-reduce`.
inline std::string_view collective_name(CollectiveKind kind) { return name_of(kind); }

/// Returns nccl-tests' busbw / algbw.
double bus_factor_of(CollectiveKind kind, int ranks);

}  // namespace formats
}  // namespace tofn
