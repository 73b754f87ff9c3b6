#pragma once

#include <limits>
#include <string>

#include "microbench/harness/monitor.hpp"
#include "microbench/harness/placement.hpp"
#include "microbench/harness/progress.hpp"
#include "microbench/harness/recorder.hpp"
#include "microbench/harness/stopping.hpp"
#include "microbench/harness/team.hpp"
#include "microbench/harness/watchdog.hpp"

namespace tofn::bench {

/// Shared objects of every benchmark on one rank.
struct Lab {
  Team& team;
  const Placement& placement;
  StoppingRule rule;
  Watchdog& watchdog;
  Recorder& recorder;
  Progress& progress;
  double deadline = std::numeric_limits<double>::infinity();  ///< host_seconds() of rank 0
  Monitor* monitor = nullptr;                                 ///< null if nothing can be watched
  std::string who;  ///< `host n1, rank 3`, the start of messages

  /// Calls `work`, which must not communicate, on this rank. An exception on any rank ends all of
  /// them with one message that names host, rank and `what`.
  template <class Work>
  void on_each_rank(const std::string& what, Work work) {
    watchdog.start(what);
    agree_on(team, who + ": " + what, work);
  }
};

}  // namespace tofn::bench
