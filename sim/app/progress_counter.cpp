#include "sim/app/progress_counter.hpp"

#include <chrono>
#include <iostream>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/screen.hpp"
#include "sim/app/waiting_line.hpp"
#include "sim/blocks/progress_line.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Seconds before the time left is shown, because the first parts may be unlike the others.
constexpr double reported_after = 1;

}  // namespace

ProgressCounter::ProgressCounter(std::string_view what)
    : what_(what), is_shown_(can_show_progress() && !are_notices_kept()) {}

ProgressCounter::~ProgressCounter() {
  if (is_shown_) std::cerr << "\r\x1b[K" << std::flush;
}

OnProgress ProgressCounter::on_progress() const {
  if (!is_shown_) return {};
  WaitingLine::give_way();
  using Clock = std::chrono::steady_clock;
  return [what = what_, start = Clock::now()](std::size_t done, std::size_t all) {
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    const double left = passed * (static_cast<double>(all) / static_cast<double>(done) - 1);
    std::cerr << fmt::format("\r\x1b[K{} of {} {}{}", done, all, what,
                             done > 0 && passed > reported_after
                                 ? fmt::format(", {} left", duration_text(left))
                                 : "")
              << std::flush;
  };
}

}  // namespace app
}  // namespace tofn
