#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "sim/core/joined_thread.hpp"

namespace tofn {
inline namespace app {

/// Line on standard error that shows once a second how long a command has worked, `working, 3 s`,
/// if that is a terminal and until anything else is written. The destructor clears it.
class WaitingLine {
 public:
  explicit WaitingLine(bool is_wanted);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  /// Clears the line for other output, and never shows it again.
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
