#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tofn::bench {

/// One rank's place in a group.
struct Member {
  int rank = 0;
  int size = 1;
};

/// Where an element of a result comes from.
struct Origin {
  std::optional<int> rank;  ///< absent: the sum over all ranks
  std::size_t index = 0;    ///< in the send buffer
};

/// A collective or point-to-point pattern, told once for all backends. Sizes are those of
/// nccl-tests: the larger of a rank's send and receive buffers, in elements. `chunk` is the size
/// over the ranks of the group where the operation deals in chunks, else the size.
struct Operation {
  std::string_view name;
  bool reduces = false;
  bool sends_chunk = false;     ///< a rank sends one chunk, not the whole size
  bool receives_chunk = false;  ///< a rank receives one chunk
  bool has_chunks = false;
  /// Every root takes its turn, so that calls back to back cannot run ahead of one another.
  bool has_root = false;
  bool can_be_in_place = false;
  bool must_be_in_place = false;
  bool is_possible_on(int ranks) const { return ranks >= 2 && (!needs_pairs || ranks % 2 == 0); }
  bool needs_pairs = false;
  /// What belongs at `index` of the receive buffer of `member`; `root` where the operation has one.
  Origin (*origin)(Member member, std::size_t index, std::size_t chunk, int root) = nullptr;
};

/// Every operation. To add one: a row here, and one in the table of each backend that has it.
std::span<const Operation> operations();

/// By name, `_` as good as `-`. Throws InputError with the valid names.
const Operation& operation(std::string_view name);

/// The rank that `rank` exchanges with in send-receive-pairs: the one half the group away, so that
/// on two nodes every pair goes through the network.
int partner_of(Member member);

}  // namespace tofn::bench
