#pragma once

#include <vector>

#include "microbench/harness/stopping.hpp"
#include "microbench/harness/team.hpp"
#include "microbench/harness/timed.hpp"
#include "microbench/harness/watchdog.hpp"

namespace tofn::bench {

/// Samples of one point so far, in seconds per call of the slowest rank.
struct VisitSamples {
  std::vector<double> host;
  std::vector<double> device;  ///< empty if nothing ran on a device
  std::vector<int> visits;     ///< number of samples in each visit
  int warm_up_calls = 0;
  int calls_per_sample = 0;  ///< 0 before the warm-up
  int samples_per_visit = 0;
  double time = 0;  ///< seconds of sampling

  const std::vector<double>& best() const { return device.empty() ? host : device; }
};

/// Runs the work until its speed is known, and sets the number of calls in a sample. Collective. A
/// rank that does not take part passes null, here and below.
void warm_up(Team&, Watchdog&, const StoppingRule&, Timed*, VisitSamples&);

/// Takes the samples of one visit; the ranks are aligned before each. Collective.
void visit(Team&, Watchdog&, Timed*, VisitSamples&);

}  // namespace tofn::bench
