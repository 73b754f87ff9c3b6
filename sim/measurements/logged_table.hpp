#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/collective_log.hpp"
#include "sim/measurements/log_text.hpp"

namespace tofn {
inline namespace measurements {

/// Bandwidths as printed, GB/s (10^9). Half a unit of their last digit bounds what they can mean.
struct PrintedBandwidths {
  double algorithm = 0;
  double bus = 0;
  double algorithm_step = 0;  ///< half a unit of the last digit
  double bus_step = 0;
};

/// A row as it stands in the log. Size is per rank where the table says so; a time is absent where
/// the log has none, or follows from a bandwidth.
struct LoggedRow {
  double size = 0;  ///< bytes
  std::optional<Seconds> out_of_place{};
  std::optional<Seconds> in_place{};
  std::optional<PrintedBandwidths> bandwidths{};
  LogLine line{};
};

/// A table as a format's reader finds it: only what the log itself says.
struct LoggedTable {
  std::string tool{};
  std::string source{};  ///< empty: the log's `# source:` line
  std::optional<CollectiveKind> collective{};
  std::string program{};  ///< that measured none of these; empty: the log names none such
  std::optional<int> ranks{};
  std::optional<int> nodes{};
  bool is_abridged = false;  ///< ranks and nodes are those of a list with gaps: a hint wins
  std::string type{};
  std::string algorithm{};
  std::string protocol{};
  /// Ranks of the whole job where the table is of the first few of them; else 0.
  int job_ranks = 0;
  /// OSU and IMB count what each rank sends, of gather and all-to-all; nccl-tests the sum.
  bool size_is_per_rank = false;
  bool bandwidth_is_in_place = false;  ///< of rows without a time
  LogLine line{};                      ///< where it starts
  std::vector<LoggedRow> rows{};
};

struct LoggedTables {
  std::vector<LoggedTable> tables{};
  std::vector<std::string> remarks{};
};

/// Bandwidths from their words; absent where one is `N/A` or in exponent form.
std::optional<PrintedBandwidths> printed_bandwidths(std::string_view algorithm,
                                                    std::string_view bus);

/// Adds collective, ranks and nodes from the hints, the file's name, the `# source:` line and
/// busbw / algbw, in this order, checks them against each other, and derives times that are not
/// printed. Tables without rows are dropped with a remark.
LogReading completed(LoggedTables tables, const LogText& log, const LogHints& hints);

}  // namespace measurements
}  // namespace tofn
