#include "sim/app/progress_counter.hpp"

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "sim/app/command.hpp"

namespace tofn {
inline namespace app {

ProgressCounter::ProgressCounter(std::string_view what)
    : what_(what), is_terminal_(isatty(STDERR_FILENO) == 1 && !are_notices_kept()) {}

ProgressCounter::~ProgressCounter() {
  if (is_terminal_) std::cerr << "\r\x1b[K" << std::flush;
}

OnProgress ProgressCounter::on_progress() const {
  if (!is_terminal_) return {};
  return [what = what_](std::size_t done, std::size_t all) {
    std::cerr << fmt::format("\r\x1b[K{} of {} {}", done, all, what) << std::flush;
  };
}

}  // namespace app
}  // namespace tofn
