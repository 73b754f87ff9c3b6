#include "microbench/harness/stopping.hpp"

#include <algorithm>
#include <cmath>

namespace tofn::bench {
namespace {

// The clock and the alignment before a sample cost under 1 us: at most 0.4 % of a sample
// this long. The record of a sweep also stays below a few megabytes.
constexpr double host_sample = 250e-6;
// The first kernel on a device starts after the event before it, and ranks of several nodes leave a
// barrier at different times. This is assumed to be 10 us, half of a hundredth of a sample; no GPU
// here has confirmed it.
constexpr double device_sample = 2e-3;
constexpr double least_samples = 3;
constexpr double most_samples = 200;
constexpr double most_calls = 1e6;

}  // namespace

int StoppingRule::calls_per_sample(double call_time, bool on_device) {
  if (call_time <= 0) return static_cast<int>(most_calls);
  const double sample_time = on_device ? device_sample : host_sample;
  return static_cast<int>(std::clamp(std::round(sample_time / call_time), 1.0, most_calls));
}

int StoppingRule::samples_per_visit(double time_of_sample) const {
  if (time_of_sample <= 0) return static_cast<int>(most_samples);
  return static_cast<int>(
      std::clamp(std::round(visit_time / time_of_sample), least_samples, most_samples));
}

bool StoppingRule::is_enough(int visits, double time, double half_width) const {
  constexpr int least_of_all = 2;  // one does not show the noise between visits
  if (time >= most_time) return visits >= least_of_all;
  return visits >= least_visits && half_width <= share;
}

}  // namespace tofn::bench
