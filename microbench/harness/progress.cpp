#include "microbench/harness/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "microbench/harness/timed.hpp"

namespace tofn::bench {

std::string time_left(double elapsed, double share_done) {
  if (share_done <= 0) return fmt::format("{:.0f} s so far", elapsed);
  const auto left = static_cast<long long>(elapsed * (1 - std::min(share_done, 1.0)) / share_done);
  if (left >= 3600)
    return fmt::format("{}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60);
  return fmt::format("{}:{:02} left", left / 60, left % 60);
}

Progress::Progress(bool speaks, int total_points)
    : speaks_(speaks),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      start_(host_seconds()),
      total_(total_points) {}

void Progress::show(std::string_view what) {
  if (!speaks_ || !is_terminal_) return;
  clear();
  // A suite does not know the number of its points in advance.
  const std::string count = total_ > 0 ? fmt::format(" of {:.0f}", total_) : std::string{};
  fmt::print(stderr, "{}, {:.0f}{} points, {}", what, done_, count,
             time_left(host_seconds() - start_, total_ > 0 ? done_ / total_ : 0));
  std::fflush(stderr);
  has_line_ = true;
}

void Progress::print(std::string_view text) {
  if (!speaks_) return;
  clear();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Progress::clear() {
  if (has_line_) fmt::print(stderr, "\r\033[K");
  has_line_ = false;
}

}  // namespace tofn::bench
