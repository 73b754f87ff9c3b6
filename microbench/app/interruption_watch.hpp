#pragma once

#include <string>
#include <thread>

#include "microbench/harness/recorder.hpp"
#include "microbench/harness/watchdog.hpp"

namespace tofn::bench {

/// Waits for Ctrl-C or `kill` until it is destroyed. On a signal it reports what the record has and
/// ends the process (exit code 130), never while the record is written. Signals that were already
/// ignored, as under nohup, stay ignored. At most one object at a time.
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
