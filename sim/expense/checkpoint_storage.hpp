#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace expense {

/// Way in which a job waits for a checkpoint: until it is written, or until accelerators have
/// copied it to host memory, from where it is written while steps go on.
enum class CheckpointMode { Sync, Async };
inline constexpr std::array<std::pair<std::string_view, CheckpointMode>, 2> checkpoint_modes{{
    {"sync", CheckpointMode::Sync},
    {"async", CheckpointMode::Async},
}};
constexpr const auto& names_of(CheckpointMode) { return checkpoint_modes; }

/// Writers of a checkpoint: every rank its share, or one rank the whole.
enum class CheckpointLayout { Sharded, Gathered };
inline constexpr std::array<std::pair<std::string_view, CheckpointLayout>, 2> checkpoint_layouts{{
    {"sharded", CheckpointLayout::Sharded},
    {"gathered", CheckpointLayout::Gathered},
}};
constexpr const auto& names_of(CheckpointLayout) { return checkpoint_layouts; }

/// Copy of a rank's share to host memory: a start, and a rate of one rank, which the host link
/// bounds. Both are the line through two statements of ByteCheckpoint (arXiv 2407.20143, Table 8):
/// steps waited 0.34 s for 66 MB a rank (7B on 1,488 ranks) and 0.59 s for 634 MB (405B on 8,960),
/// at 14 bytes a parameter.
inline constexpr Seconds staging_start = Seconds(0.31);
inline constexpr BytesPerSecond staging_rate = BytesPerSecond(2.27e9);

/// Storage of checkpoints, as stated.
struct CheckpointStorage {
  std::optional<BytesPerSecond> all{};       ///< of the file system; absent: the nodes' bandwidth
  std::optional<BytesPerSecond> node{};      ///< of one node to it; absent: the file system's
  std::optional<CheckpointMode> mode{};      ///< absent: sync
  std::optional<CheckpointLayout> layout{};  ///< absent: sharded

  bool is_known() const { return all || node; }
};

/// A checkpoint and the job that writes it.
struct CheckpointedJob {
  Bytes bytes;  ///< of the whole checkpoint, above 0
  int accelerators = 1;
  int nodes = 1;
  BytesPerSecond host_link;  ///< of an accelerator to host memory
};

struct CheckpointTimes {
  Bytes bytes;
  Bytes of_rank;             ///< that a writing rank copies
  BytesPerSecond bandwidth;  ///< of all writers
  Seconds blocks;            ///< time for which steps wait
  Seconds write;             ///< to storage
  Seconds read;              ///< at a restart
};

/// Times of a checkpoint: its bytes over the bandwidth of the file system, or of the writing nodes
/// if that is less. Steps wait for the copy to host memory, and in `sync` mode for the write after
/// it. A restart reads the checkpoint at the bandwidth at which it was written. Time for metadata
/// and for gathering over the network is left out. `storage` must be known.
CheckpointTimes checkpoint_times(const CheckpointStorage& storage, const CheckpointedJob&);

}  // namespace expense
}  // namespace tofn
