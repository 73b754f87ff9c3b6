#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tofn::bench {

/// A rank's position in a group.
struct Member {
  int rank = 0;
  int size = 1;
};

/// Source of an element of a result.
struct Origin {
  std::optional<int> rank;  ///< absent: the sum over all ranks
  std::size_t index = 0;    ///< in the send buffer
};

/// A collective or point-to-point pattern, defined once for all backends. Sizes are those of
/// nccl-tests: the larger of a rank's send and receive buffers, in elements. `chunk` is the size
/// divided by the ranks of the group if the operation has chunks, else the size.
struct Operation {
  std::string_view name;
  bool reduces = false;
  bool sends_chunk = false;     ///< a rank sends one chunk, not the whole size
  bool receives_chunk = false;  ///< a rank receives one chunk
  bool has_chunks = false;
  /// Every rank is the root in turn, so that consecutive calls cannot run ahead of one another.
  bool has_root = false;
  bool can_be_in_place = false;
  bool must_be_in_place = false;
  bool is_possible_on(int ranks) const { return ranks >= 2 && (!needs_pairs || ranks % 2 == 0); }
  bool needs_pairs = false;
  /// Source of the element at `index` of the receive buffer of `member`; `root` if it has one.
  Origin (*origin)(Member member, std::size_t index, std::size_t chunk, int root) = nullptr;
};

/// Every operation. To add one, add a row here, and one in the table of each backend that has it.
std::span<const Operation> operations();

/// Finds an operation by name; `_` may stand for `-`. Throws InputError with the valid names.
const Operation& operation(std::string_view name);

/// Partner of a rank in send-receive-pairs: the rank half the group away, so that on two nodes
/// every pair uses the network.
int partner_of(Member member);

}  // namespace tofn::bench
