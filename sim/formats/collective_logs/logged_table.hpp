#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/collective_logs/collective_log.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// Bandwidths as printed, GB/s (10^9). Half a unit of their last digit bounds the true value.
struct PrintedBandwidths {
  double algorithm = 0;
  double bus = 0;
  double algorithm_step = 0;  ///< half a unit of the last digit
  double bus_step = 0;
};

/// A row as printed in the log. Its size is per rank if the table says so; a time is absent if the
/// log has none, or if it follows from a bandwidth.
struct LoggedRow {
  double size = 0;  ///< bytes
  std::optional<Seconds> out_of_place{};
  std::optional<Seconds> in_place{};
  std::optional<PrintedBandwidths> bandwidths{};
  LogLine line{};
};

/// A table as a format's reader finds it, with only what the log itself states.
struct LoggedTable {
  std::string tool{};
  std::string source{};  ///< empty: the log's `# source:` line
  std::optional<CollectiveKind> collective{};
  std::string program{};  ///< name of a program that measures another operation; otherwise empty
  std::optional<int> ranks{};
  std::optional<int> nodes{};
  /// Ranks and nodes come from a list with gaps, so a hint overrides them.
  bool is_abridged = false;
  std::string type{};
  std::string algorithm{};
  std::string protocol{};
  /// Ranks of the whole job if the table covers only the first few; otherwise 0.
  int job_ranks = 0;
  /// OSU and IMB count what each rank sends, for gather and all-to-all; nccl-tests counts the sum.
  bool size_is_per_rank = false;
  bool bandwidth_is_in_place = false;  ///< for rows without a time
  std::string wrong_results{};         ///< first row whose results the benchmark found wrong
  LogLine line{};                      ///< first line of the table
  std::vector<LoggedRow> rows{};
};

struct LoggedTables {
  std::vector<LoggedTable> tables{};
  std::vector<std::string> remarks{};
};

/// Parses bandwidths from their words; absent if one is `N/A` or in exponent form.
std::optional<PrintedBandwidths> printed_bandwidths(std::string_view algorithm,
                                                    std::string_view bus);

/// Adds collective, ranks and nodes from the hints, the file's name, the `# source:` line and busbw
/// / algbw, in this order, checks that they agree, and derives times that are not printed. Tables
/// without rows are dropped with a remark.
LogReading completed(LoggedTables tables, const LogText& log, const LogHints& hints);

/// Returns a table whose collective, ranks and nodes are known, with sizes over all ranks, times
/// that only the printed bandwidths state, and rows by ascending size. `source` is that of the log
/// and serves tables without their own. Rows without a positive size and time are left out with a
/// remark. InputError if times do not match the bandwidths beside them.
CollectiveTable completed_table(const LogText& log, std::string_view source, const LoggedTable&,
                                std::vector<std::string>& remarks);

}  // namespace formats
}  // namespace tofn
