#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/measurements/nccl_inspector.hpp"

namespace tofn {
inline namespace answers {

/// Calls of one collective at one size in one communicator, the newest beside the first.
struct WatchedCollective {
  std::string communicator{};
  CollectiveKind collective = CollectiveKind::AllReduce;
  int ranks = 0;
  std::optional<int> nodes{};
  Bytes size{};
  std::size_t calls = 0;
  Seconds time{};                    ///< of all calls
  BytesPerSecond first{}, newest{};  ///< bus bandwidth: medians
  double drift = 0;                  ///< newest over first, less 1
  /// The same of the calls that waited least: what the links do.
  double unwaited_drift = 0;

  bool is_between_nodes() const { return nodes.value_or(1) > 1; }
};

/// How the collectives of a running job stand.
struct WatchedCollectives {
  std::vector<WatchedCollective> kinds{};  ///< of enough calls to tell of, the most time first
  std::size_t calls = 0;
  Seconds in_collectives{};
  std::optional<double> share{};  ///< of the time between the first and last line's time stamps
  double drift = 0;               ///< of the bandwidth of all, by their time
  double unwaited_drift = 0;
  std::string cause{};                 ///< of bandwidth that falls; empty: it does not
  std::vector<std::string> remarks{};  ///< what of the file was left out
};

/// What the lines of NCCL Inspector say now. InputError as read_inspector throws it, and where no
/// collective has enough calls.
WatchedCollectives watch_collectives(std::string_view text, const std::string& file);

/// A known reason for bandwidth that falls: how it shows, and what to say.
struct BandwidthCause {
  std::string_view name;
  bool (*shows)(const WatchedCollectives&);
  std::string_view sentence;
};

}  // namespace answers
}  // namespace tofn
