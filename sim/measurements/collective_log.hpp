#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace measurements {

/// What the caller knows beyond the log: it fills what the log does not say.
struct LogHints {
  std::optional<CollectiveKind> collective{};
  std::optional<int> ranks{};
  std::optional<int> nodes{};
  std::string type{};
  bool leaves_open = false;  ///< a table that is not placed goes to LogReading::open
};

/// A table whose collective, ranks or nodes nothing says, and what is known of them.
struct OpenTable {
  std::optional<CollectiveKind> collective{};
  int least_ranks = 2;              ///< that busbw / algbw allows, or those that are said
  std::optional<int> most_ranks{};  ///< absent: no bound
  std::optional<int> nodes{};
  std::string question{};  ///< `file:line: nodes: the log does not say how many: give --nodes`

  bool has_ranks() const { return most_ranks == least_ranks; }
};

struct LogReading {
  std::vector<CollectiveTable> tables;  ///< each with at least one row
  std::vector<std::string> remarks;     ///< `file:line: what was left out or assumed, and why`
  std::vector<OpenTable> open{};        ///< none unless they are to be left open
};

/// Reads the output of a benchmark in any of the formats of log_format.cpp, which it finds by
/// itself; `file` is for messages, and its name may tell nodes x ranks per node and the collective.
/// InputError `file:line:column: ...` where the text is none of these formats, a row is malformed,
/// what is needed stands nowhere, or what stands there contradicts itself or a hint.
LogReading read_collective_log(std::string_view text, const std::string& file,
                               const LogHints& hints = {});

/// Whether the text is in a format of log_format.cpp.
bool is_collective_log(std::string_view text);

}  // namespace measurements
}  // namespace tofn
