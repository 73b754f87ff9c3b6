#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace formats {

/// Facts that the caller states because the log may not.
struct LogHints {
  std::optional<CollectiveKind> collective{};
  std::optional<int> ranks{};
  std::optional<int> nodes{};
  std::string type{};
  bool leaves_open = false;  ///< a table that cannot be placed goes to LogReading::open
};

/// A table whose collective, ranks or nodes are not stated, with the facts that are known.
struct OpenTable {
  std::optional<CollectiveKind> collective{};
  int least_ranks = 2;              ///< allowed by busbw / algbw, or stated
  std::optional<int> most_ranks{};  ///< absent: no bound
  std::optional<int> nodes{};
  std::string question{};  ///< `file:line: nodes: the log does not say how many: give --nodes`

  bool has_ranks() const { return most_ranks == least_ranks; }
};

struct LogReading {
  std::vector<CollectiveTable> tables;  ///< each with at least one row
  std::vector<std::string> remarks;     ///< `file:line: ...`: what was left out or assumed, and why
  std::vector<OpenTable> open{};        ///< empty unless the hints leave tables open
};

/// Reads a benchmark's output in any format of log_format.cpp, which it detects. `file` is for
/// messages, and its name may state nodes x ranks per node and the collective. InputError
/// `file:line:column: ...` if the text has none of these formats, a row is malformed, a required
/// fact is stated nowhere, or statements contradict each other or a hint.
LogReading read_collective_log(std::string_view text, const std::string& file,
                               const LogHints& hints = {});

/// True if the text is in a format of log_format.cpp.
bool is_collective_log(std::string_view text);

}  // namespace formats
}  // namespace tofn
