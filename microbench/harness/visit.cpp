#include "microbench/harness/visit.hpp"

#include <array>

namespace tofn::bench {
namespace {

/// Seconds of this rank's calls; 0 on a rank that does not take part.
Elapsed run(Timed* timed, int calls) { return timed == nullptr ? Elapsed{} : timed->run(calls); }

void append(std::vector<double>& all, const std::vector<double>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

void warm_up(Team& team, Watchdog& watchdog, const StoppingRule& rule, Timed* timed,
             VisitSamples& samples) {
  constexpr double long_enough = 250e-6;  // to measure the time of a call
  constexpr int least_calls = 5;          // set up connections, caches, clocks
  double total = 0;
  for (int calls = 1;; calls *= 2) {
    team.barrier();
    const Elapsed elapsed = run(timed, calls);
    watchdog.progress();
    std::array most{elapsed.host, elapsed.device ? 1.0 : 0.0};
    team.maximum(most);
    const auto [seconds, has_device] = most;
    samples.warm_up_calls += calls;
    total += seconds;
    if (seconds < long_enough) continue;
    if (samples.warm_up_calls < least_calls && total < rule.visit_time) continue;
    const double call_time = seconds / calls;
    samples.calls_per_sample = rule.calls_per_sample(call_time, has_device > 0);
    samples.samples_per_visit = rule.samples_per_visit(call_time * samples.calls_per_sample);
    return;
  }
}

void visit(Team& team, Watchdog& watchdog, Timed* timed, VisitSamples& samples) {
  const int calls = samples.calls_per_sample;
  std::vector<double> host;
  std::vector<double> device;
  double has_device = 0;
  // Run once untimed, because earlier work left other data in the caches.
  run(timed, calls);
  for (int i = 0; i < samples.samples_per_visit; ++i) {
    team.barrier();
    const Elapsed elapsed = run(timed, calls);
    watchdog.progress();
    host.push_back(elapsed.host / calls);
    device.push_back(elapsed.device.value_or(0) / calls);
    if (elapsed.device) has_device = 1;
  }
  team.maximum(host);
  team.maximum(device);
  team.maximum({&has_device, 1});
  for (const double seconds : host) samples.time += seconds * calls;
  append(samples.host, host);
  if (has_device > 0) append(samples.device, device);
  samples.visits.push_back(samples.samples_per_visit);
}

}  // namespace tofn::bench
