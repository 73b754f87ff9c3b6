#pragma once

#include <csignal>

namespace tofn {
inline namespace blocks {

/// Holds Ctrl-C (SIGINT) and SIGTERM back from this thread and those started later, for as long as
/// it lives; a second one, after the first was seen, ends the process at once. A file that grows
/// past what the system allows is an error of writing in the meantime, not a silent end.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// SIGINT or SIGTERM once one came, else 0.
  int signal();

 private:
  sigset_t set_{};
  sigset_t before_{};
  void (*file_size_before_)(int) = SIG_DFL;
  int signal_ = 0;
};

/// As shells have it: 130 for SIGINT, 143 for SIGTERM.
int exit_code_of_signal(int signal);

}  // namespace blocks
}  // namespace tofn
