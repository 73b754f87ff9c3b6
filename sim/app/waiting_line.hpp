#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "sim/core/joined_thread.hpp"

namespace tofn {
inline namespace app {

/// While it lives, and nothing else is written, a terminal is told once a second how long a command
/// has worked, from the second on: `working, 3 s`. It is gone at the end. Elsewhere nothing.
class WaitingLine {
 public:
  explicit WaitingLine(bool is_wanted);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  /// What else is written takes the line's place, now and for good.
  static void give_way();

 private:
  void count();

  std::mutex mutex_{};
  std::condition_variable ended_{};
  bool has_ended_ = false;
  std::optional<JoinedThread> thread_{};
};

}  // namespace app
}  // namespace tofn
