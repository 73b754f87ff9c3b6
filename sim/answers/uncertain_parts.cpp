#include "sim/answers/uncertain_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace tofn {
inline namespace answers {
namespace {

constexpr std::array settled_by{
    "a measured step of this model and plan (--observed, --steps)",
    "steps of it measured on one such node (tofn calibrate --steps, --steps)",
    "collectives measured on its nodes (tofn calibrate, --calibration)",
    "hours of own runs beside their simulated ones",
    "a log of own failures (--failure-every, --restart, --checkpoint-cost)",
    "own runs to the target at this batch",
    "a log of one own run with its evaluations (tofn calibrate)"};

}  // namespace

std::string measurement_words(Settling by) { return settled_by[static_cast<std::size_t>(by)]; }

double variance_between(const Interval& ends) {
  return std::pow((ends.high - ends.low) / 2 / ninety_percent_deviations, 2);
}

TimeUncertainties collected_uncertainties(std::vector<UncertainPart> parts) {
  std::stable_sort(parts.begin(), parts.end(), [](const UncertainPart& a, const UncertainPart& b) {
    return a.variance > b.variance;
  });
  double sum = 0;
  for (const UncertainPart& part : parts) sum += part.variance;
  TimeUncertainties uncertainties{.all = {}, .deviation = std::sqrt(sum), .remedy = {}};
  if (sum == 0) return uncertainties;
  std::array<double, settled_by.size()> settled{};
  for (const UncertainPart& part : parts) {
    settled[static_cast<std::size_t>(part.by)] += part.variance;
    uncertainties.all.push_back(
        {.name = part.name,
         .factor = {std::exp(std::min(part.logarithm.low, part.logarithm.high)),
                    std::exp(std::max(part.logarithm.low, part.logarithm.high))},
         .share = part.variance / sum,
         .measurement = measurement_words(part.by)});
  }
  const auto most = std::max_element(settled.begin(), settled.end());
  uncertainties.remedy =
      Remedy{.measurement = measurement_words(static_cast<Settling>(most - settled.begin())),
             .deviation = std::sqrt(std::max(0.0, sum - *most)),
             .is_a_bound = true};
  return uncertainties;
}

}  // namespace answers
}  // namespace tofn
