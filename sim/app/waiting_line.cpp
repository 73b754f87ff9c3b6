#include "sim/app/waiting_line.hpp"

#include <chrono>
#include <iostream>

#include <fmt/format.h>

#include "sim/app/screen.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr const char* cleared = "\r\x1b[K";

/// Guards the line on standard error and the two flags below.
std::mutex writing;
bool has_given_way = false;
bool has_line = false;

}  // namespace

WaitingLine::WaitingLine(bool is_wanted) {
  if (is_wanted && can_show_progress()) thread_.emplace([this] { count(); });
}

WaitingLine::~WaitingLine() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  ended_.notify_all();
  give_way();
}

void WaitingLine::give_way() {
  const std::lock_guard lock(writing);
  if (has_line) std::cerr << cleared << std::flush;
  has_line = false;
  has_given_way = true;
}

void WaitingLine::count() {
  std::unique_lock lock(mutex_);
  for (int seconds = 1;; ++seconds) {
    if (ended_.wait_for(lock, std::chrono::seconds(1), [&] { return has_ended_; })) return;
    const std::lock_guard line(writing);
    if (has_given_way) return;
    std::cerr << fmt::format("{}working, {} s", cleared, seconds) << std::flush;
    has_line = true;
  }
}

}  // namespace app
}  // namespace tofn
