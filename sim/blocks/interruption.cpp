#include "sim/blocks/interruption.hpp"

namespace tofn {
inline namespace blocks {

Interruption::Interruption() : file_size_before_(std::signal(SIGXFSZ, SIG_IGN)) {
  sigemptyset(&set_);
  sigaddset(&set_, SIGINT);
  sigaddset(&set_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set_, &before_);
}

int Interruption::signal() {
  sigset_t pending;
  sigpending(&pending);
  if (signal_ != 0 || (sigismember(&pending, SIGINT) == 0 && sigismember(&pending, SIGTERM) == 0))
    return signal_;
  sigwait(&set_, &signal_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  return signal_;
}

Interruption::~Interruption() {
  signal();  // consumes a late signal, which has nothing left to end
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  std::signal(SIGXFSZ, file_size_before_);
}

int exit_code_of_signal(int signal) { return 128 + signal; }

}  // namespace blocks
}  // namespace tofn
