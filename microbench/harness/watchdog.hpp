#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tofn::bench {

/// Ends the job if a step of work exceeds the timeout, because a rank that hangs in a collective
/// cannot report it.
class Watchdog {
 public:
  using OnStall = std::function<void(const std::string& what, double seconds)>;

  /// `on_stall` runs on the watchdog's thread, and should not return.
  Watchdog(double timeout_seconds, OnStall on_stall);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Starts the timeout of the work named `what`.
  void start(std::string what);
  /// Restarts the timeout, because the work proceeds.
  void progress();
  /// Stops the timeout until the next start.
  void stop();
  /// Name of the last started work.
  std::string current();

 private:
  void watch();

  const std::chrono::duration<double> timeout_;
  const OnStall on_stall_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_ = "the start";
  std::chrono::steady_clock::time_point since_;
  bool is_active_ = false;
  bool is_over_ = false;
  std::thread thread_;  // last, because it uses the members above
};

}  // namespace tofn::bench
