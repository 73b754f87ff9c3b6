#include "microbench/app/interruption_watch.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <semaphore.h>

namespace tofn::bench {
namespace {

constexpr int interrupted = 130;  // 128 + SIGINT, as in shells
constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

// State that a signal handler may touch. This is a handler, not sigwait, because threads that
// libraries started before main() block no signal and would end the process.
sem_t arrival;
volatile std::sig_atomic_t arrived = 0;
std::array<struct sigaction, signals.size()> before;

void note(int signal) {
  arrived = signal;
  sem_post(&arrival);
}

std::string_view name_of(int signal) {
  return signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM";
}

void listen() {
  sem_init(&arrival, 0, 0);
  struct sigaction noted = {};
  noted.sa_handler = note;
  noted.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(signals[i], &noted, nullptr);
  }
}

/// Waits for a signal; 0 if the watch ends without one.
int wait_for_one() {
  while (sem_wait(&arrival) != 0) {  // interrupted by another signal
  }
  return arrived;
}

}  // namespace

InterruptionWatch::InterruptionWatch(std::string who, Watchdog& watchdog,
                                     const Recorder& recorder) {
  listen();
  thread_ = std::thread([who = std::move(who), &watchdog, &recorder] {
    const int signal = wait_for_one();
    if (signal == 0) return;
    const auto lock = recorder.paused();
    const std::string holdings = recorder.holdings();
    std::cerr << fmt::format("\ntofn-bench: {}: ended by {} during {}{}\n", who, name_of(signal),
                             watchdog.current(),
                             holdings.empty() ? "" : "; " + holdings + ", --resume goes on")
              << std::flush;
    // mpirun drops output of a rank that ends after Ctrl-C if it has not read it yet.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::_Exit(interrupted);
  });
}

InterruptionWatch::~InterruptionWatch() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before[i], nullptr);
  sem_post(&arrival);
  thread_.join();
}

}  // namespace tofn::bench
