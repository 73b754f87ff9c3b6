#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tofn::bench {

/// Ends the job when a step of work takes longer than a stated time: a rank that hangs in a
/// collective cannot say so itself.
class Watchdog {
 public:
  using OnStall = std::function<void(const std::string& what, double seconds)>;

  /// `on_stall` runs on the watchdog's thread and is expected not to return.
  Watchdog(double timeout_seconds, OnStall on_stall);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// From now on, `what` is being done.
  void start(std::string what);
  /// The work goes on: the time starts again.
  void progress();
  /// Nothing is being waited for.
  void stop();
  /// What was started last.
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
  std::thread thread_;  // last: it uses what stands above
};

}  // namespace tofn::bench
