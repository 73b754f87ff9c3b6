#pragma once

#include <csignal>

namespace tofn {
inline namespace blocks {

/// Blocks Ctrl-C (SIGINT) and SIGTERM in this thread and in threads started later, until it is
/// destroyed. A second signal, after the first was seen, ends the process at once. Meanwhile a file
/// that grows beyond the system's limit is an error of writing, not a silent end.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// SIGINT or SIGTERM if one came, else 0.
  int signal();

 private:
  sigset_t set_{};
  sigset_t before_{};
  void (*file_size_before_)(int) = SIG_DFL;
  int signal_ = 0;
};

/// Exit code of shells: 130 for SIGINT, 143 for SIGTERM.
int exit_code_of_signal(int signal);

}  // namespace blocks
}  // namespace tofn
