#include "sim/formats/step_logs/steady_steps.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace formats {
namespace {

std::vector<double> seconds_of(std::span<const LoggedStep> steps) {
  std::vector<double> seconds;
  seconds.reserve(steps.size());
  for (const LoggedStep& each : steps) seconds.push_back(each.seconds);
  return seconds;
}

std::size_t warm_up_of(std::span<const LoggedStep> steps) {
  if (steps.size() < least_times) return 0;
  const std::size_t half = steps.size() / 2;
  const double settled = median(seconds_of(steps.subspan(half)));
  std::size_t cold = 1;
  while (cold < half && std::abs(steps[cold].seconds - settled) > warm_band * settled) ++cold;
  return cold;
}

/// Drops cold steps that differ from the others.
void drop_cold(std::vector<LoggedStep>& steps) {
  std::vector<double> others;
  for (const LoggedStep& each : steps)
    if (!each.is_cold) others.push_back(each.seconds);
  if (others.empty()) return;
  const double settled = median(others);
  std::erase_if(steps, [&](const LoggedStep& each) {
    return each.is_cold && std::abs(each.seconds - settled) > warm_band * settled;
  });
}

}  // namespace

SteadySteps steady_steps(std::span<const LoggedStep> all, bool goes_on) {
  assert(!all.empty());
  const std::size_t cold = goes_on ? 0 : warm_up_of(all);
  std::vector<LoggedStep> warm(all.begin() + static_cast<std::ptrdiff_t>(cold), all.end());
  drop_cold(warm);
  SteadySteps steady{.warm_up = all.size() - warm.size()};
  const auto times = seconds_of(warm);
  const double centre = median(times);
  const double reach =
      std::max(outlier_deviations * robust_deviation(times), least_outlier * centre);
  std::vector<double> kept;
  for (const LoggedStep& each : warm) {
    if (std::abs(each.seconds - centre) > reach) {
      steady.outliers.push_back(each);
      continue;
    }
    kept.push_back(each.seconds);
    steady.steps += each.steps;
  }
  // Two far-apart halves of an even number of times have no time near the median.
  if (kept.empty()) {
    kept = times;
    steady.outliers.clear();
    for (const LoggedStep& each : warm) steady.steps += each.steps;
  }
  steady.seconds = median(kept);
  steady.spread = robust_deviation(kept) / steady.seconds;
  return steady;
}

}  // namespace formats
}  // namespace tofn
