#pragma once

#include <string>
#include <thread>

#include "microbench/harness/recorder.hpp"
#include "microbench/harness/watchdog.hpp"

namespace tofn::bench {

/// Keeps Ctrl-C and `kill` from every thread started later; call it before there are any.
void hold_interruptions();

/// Undoes it on this thread: a process that has nothing to say may simply end.
void let_interruptions_end_this();

/// Waits for Ctrl-C or `kill` on a thread of its own while it lives, says what the record holds,
/// and ends the process (exit code 130), never in the middle of writing the record.
class InterruptionWatch {
 public:
  InterruptionWatch(std::string who, Watchdog&, const Recorder&);
  ~InterruptionWatch();
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;

 private:
  std::thread thread_;
};

}  // namespace tofn::bench
