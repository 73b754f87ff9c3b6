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

/// Interruptions of a job, which continues from its last checkpoint.
struct Interruptions {
  Seconds mean_between;  ///< of the whole job; infinite if it has no interruptions
  Seconds checkpoint;    ///< time to write one, while nothing computes
  Seconds restart;       ///< until the job computes again
  /// Time more that an interruption costs: reading the checkpoint, and steps beside the write of
  /// one, which do not count before it ends.
  Seconds recovery{};
  Seconds least_interval{};  ///< between checkpoints: time in which one is written

  Seconds down() const { return restart + recovery; }
};

/// Interval between checkpoints that loses the least time: the root of Young's problem (Young 1974)
/// for exponential times between interruptions. sqrt(2 x checkpoint x mean_between) and Daly's
/// series (J. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
/// 2006) are its first terms.
Seconds best_checkpoint_interval(const Interruptions&);

/// Ratio of expected to undisturbed time above which a run counts as endless.
inline constexpr double endless = 1e6;

/// Expected length of an interrupted run.
struct InterruptedRun {
  Seconds expected;
  std::optional<Seconds> checkpoint_every;  ///< absent: the run ends before the first one is due
};

/// Expected length of a run: Daly's expected time of each segment, `mean_between
/// e^(down/mean_between) (e^(segment/mean_between) - 1)`, summed over segments that end in a
/// checkpoint and a last one without. `interval`: between checkpoints; absent: the best one of at
/// least `least_interval`, split evenly.
InterruptedRun interrupted(Seconds run, const Interruptions&, std::optional<Seconds> interval = {});

}  // namespace expense
}  // namespace tofn
