#pragma once

#include <string>
#include <thread>

#include "microbench/harness/recorder.hpp"
#include "microbench/harness/watchdog.hpp"

namespace tofn::bench {

/// Waits for Ctrl-C or `kill` while it lives, says what the record holds, and ends the process
/// (exit code 130), never in the middle of writing the record. Signals that whoever started the
/// process had ignored, as nohup does, stay ignored. One at a time.
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
