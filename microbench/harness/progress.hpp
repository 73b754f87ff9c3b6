#pragma once

#include <string>
#include <string_view>

namespace tofn::bench {

/// `1:05 left`, or how long it has taken where nothing is done yet. Seconds.
std::string time_left(double elapsed, double share_done);

/// What a person sees while it runs: tables on standard output as they are finished, and below them
/// one line that is written over, only where standard error is a terminal. Silent on ranks but 0.
class Progress {
 public:
  Progress(bool speaks, int total_points);

  /// `all-reduce fp32 world: round 2, 64 KiB, 31 of 140 points, 1:05 left`
  void show(std::string_view what);
  void add_done(double points) { done_ += points; }
  /// Prints text of whole lines where the line stood.
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
