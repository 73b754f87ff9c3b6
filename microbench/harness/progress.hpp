#pragma once

#include <string>
#include <string_view>

namespace tofn::bench {

/// Time left, such as `1:05 left`, or the time so far if nothing is done yet. `elapsed` in seconds.
std::string time_left(double elapsed, double share_done);

/// Output for people: finished tables on standard output, and below them one line that is
/// overwritten, only if standard error is a terminal. Ranks other than 0 are silent.
class Progress {
 public:
  Progress(bool speaks, int total_points);

  /// Shows a line: `all-reduce fp32 world: round 2, 64 KiB, 31 of 140 points, 1:05 left`
  void show(std::string_view what);
  void add_done(double points) { done_ += points; }
  /// Prints whole lines of text in place of the progress line.
  void print(std::string_view text);

 private:
  void clear();

  bool speaks_;
  bool has_line_ = false;
  bool is_terminal_;
  double start_;
  double done_ = 0;
  double total_;
};

}  // namespace tofn::bench
