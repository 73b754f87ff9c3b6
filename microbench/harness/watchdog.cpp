#include "microbench/harness/watchdog.hpp"

#include <algorithm>
#include <utility>

namespace tofn::bench {

Watchdog::Watchdog(double timeout_seconds, OnStall on_stall)
    : timeout_(timeout_seconds), on_stall_(std::move(on_stall)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::start(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  since_ = std::chrono::steady_clock::now();
  is_active_ = true;
}

void Watchdog::progress() {
  const std::lock_guard lock(mutex_);
  since_ = std::chrono::steady_clock::now();
}

void Watchdog::stop() {
  const std::lock_guard lock(mutex_);
  is_active_ = false;
}

std::string Watchdog::current() {
  const std::lock_guard lock(mutex_);
  return what_;
}

void Watchdog::watch() {
  const auto interval =
      std::min<std::chrono::duration<double>>(timeout_ / 20, std::chrono::seconds(1));
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    changed_.wait_for(lock, interval);
    if (!is_active_) continue;
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - since_;
    if (waited < timeout_) continue;
    is_active_ = false;
    const std::string what = what_;
    lock.unlock();
    on_stall_(what, waited.count());
    lock.lock();
  }
}

}  // namespace tofn::bench
