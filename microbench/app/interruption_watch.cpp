#include "microbench/app/interruption_watch.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

#include <fmt/format.h>

namespace tofn::bench {
namespace {

constexpr int interrupted = 130;    // 128 + SIGINT, as shells have it
constexpr int dismissal = SIGUSR2;  // of the waiting thread

std::string_view name_of(int signal) {
  return signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM";
}

sigset_t held_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, dismissal}) sigaddset(&set, signal);
  return set;
}

}  // namespace

void hold_interruptions() {
  // A file-size limit shall be an error of writing, with a reason, not a silent end.
  std::signal(SIGXFSZ, SIG_IGN);
  const sigset_t set = held_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void let_interruptions_end_this() {
  const sigset_t set = held_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

InterruptionWatch::InterruptionWatch(std::string who, Watchdog& watchdog, const Recorder& recorder)
    : thread_([who = std::move(who), &watchdog, &recorder] {
        const sigset_t set = held_signals();
        int signal = 0;
        if (sigwait(&set, &signal) != 0 || signal == dismissal) return;
        const auto lock = recorder.paused();
        const std::string holdings = recorder.holdings();
        std::cerr << fmt::format("\ntofn-bench: {}: ended by {} during {}{}\n", who,
                                 name_of(signal), watchdog.current(),
                                 holdings.empty() ? "" : "; " + holdings + ", --resume goes on")
                  << std::flush;
        // mpirun drops what it has not read yet of a rank that ends after Ctrl-C.
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        std::_Exit(interrupted);
      }) {}

InterruptionWatch::~InterruptionWatch() {
  pthread_kill(thread_.native_handle(), dismissal);
  thread_.join();
}

}  // namespace tofn::bench
