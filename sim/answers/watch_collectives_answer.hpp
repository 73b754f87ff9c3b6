#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/formats/collective_logs/nccl_inspector.hpp"

namespace tofn {
inline namespace answers {

/// Calls of one collective at one size in one communicator; compares the newest calls with the
/// first.
struct WatchedCollective {
  std::string communicator{};
  CollectiveKind collective = CollectiveKind::AllReduce;
  int ranks = 0;
  std::optional<int> nodes{};
  Bytes size{};
  std::size_t calls = 0;
  Seconds time{};                    ///< total of all calls
  BytesPerSecond first{}, newest{};  ///< median bus bandwidths
  double drift = 0;                  ///< newest over first, less 1
  /// Bus bandwidth by the cluster's measurements or links; absent if no cluster is stated or its
  /// nodes do not hold such ranks.
  std::optional<BytesPerSecond> expected{};
  /// Drift of the fastest calls, which did not wait for late ranks: the change of the links
  /// themselves.
  double unwaited_drift = 0;

  bool is_between_nodes() const { return nodes.value_or(1) > 1; }
};

/// State of the collectives of a running job.
struct WatchedCollectives {
  std::vector<WatchedCollective> kinds{};  ///< with enough calls to compare; most time first
  std::size_t calls = 0;
  Seconds in_collectives{};
  std::optional<double> share{};  ///< of the time between the first and the last time stamp
  double drift = 0;               ///< mean over all kinds, weighted by their time
  double unwaited_drift = 0;
  std::string cause{};                 ///< of falling bandwidth; empty if it does not fall
  std::vector<std::string> remarks{};  ///< parts of the file that were left out
};

/// Reads the lines of NCCL Inspector as they are now. InputError as read_inspector throws it, and
/// if no collective has enough calls.
WatchedCollectives watch_collectives(std::string_view text, const std::string& file);

/// Sets the bandwidth that each kind would reach on the cluster of that name or file, as `tofn
/// collective` answers, if the ranks of each node were spread over it evenly.
void set_expected(WatchedCollectives&, const std::string& cluster, Library&,
                  const std::filesystem::path& configs);

/// A known reason for falling bandwidth: how to recognise it, and the text for people.
struct BandwidthCause {
  std::string_view name;
  bool (*shows)(const WatchedCollectives&);
  std::string_view sentence;
};

/// Known causes, the most specific first. The cause of an answer is the sentence of one.
std::span<const BandwidthCause> bandwidth_causes();

}  // namespace answers
}  // namespace tofn
