#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "sim/blocks/block_job.hpp"

namespace tofn {
inline namespace blocks {

/// A number with separators: `1,234,567`.
std::string grouped(std::uint64_t number);
/// A number of things: `1 row`, `1,234 rows`.
std::string grouped_count(std::uint64_t number, std::string_view noun);

/// A duration: `6 s`, `12 min`, `3 h 05 min`.
std::string duration_text(double seconds);

/// `41 % 412,000 of 1,000,000 points, 98,000/s, 6 s left`; rate and time left are those of this
/// run.
std::string progress_text(const BlockProgress&);

/// Shows the progress: on a terminal one line that is overwritten, elsewhere a line every ten
/// seconds, and one when it begins to stop.
class ProgressLine {
 public:
  ProgressLine(std::ostream&, bool is_terminal);
  void show(const BlockProgress&);
  /// Erases the line; call it before other text goes to the same terminal.
  void clear();

 private:
  std::ostream& stream_;
  bool is_terminal_;
  bool has_line_ = false;
  bool is_stopping_ = false;
  std::chrono::steady_clock::time_point due_;
};

}  // namespace blocks
}  // namespace tofn
