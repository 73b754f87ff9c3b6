#pragma once

#include <vector>

#include "microbench/harness/stopping.hpp"
#include "microbench/harness/team.hpp"
#include "microbench/harness/timed.hpp"
#include "microbench/harness/watchdog.hpp"

namespace tofn::bench {

/// Samples of one point so far, in seconds per call: each the slowest rank's.
struct VisitSamples {
  std::vector<double> host;
  std::vector<double> device;  ///< empty where nothing ran on a device
  std::vector<int> visits;     ///< how many of them each visit took
  int warm_up_calls = 0;
  int calls_per_sample = 0;  ///< 0: not warmed up yet
  int samples_per_visit = 0;
  double time = 0;  ///< seconds of sampling

  const std::vector<double>& best() const { return device.empty() ? host : device; }
};

/// Collective. Runs the work until its speed is known, and settles how many calls make a sample. A
/// rank without part in the work gives nullptr, here and below.
void warm_up(Team&, Watchdog&, const StoppingRule&, Timed*, VisitSamples&);

/// Collective. Takes the samples of one visit; the ranks are aligned before each.
void visit(Team&, Watchdog&, Timed*, VisitSamples&);

}  // namespace tofn::bench
