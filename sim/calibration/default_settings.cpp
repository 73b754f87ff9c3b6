#include "sim/calibration/default_settings.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/calibration/step_fit.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// The most frequent value of a setting among the observations that `counts` selects; absent if
/// none states it.
template <class T, class Pick>
std::optional<T> most_stated(const std::vector<Observation>& observations,
                             std::optional<T> RunSettings::*setting, Pick counts) {
  std::vector<std::pair<T, int>> votes;
  for (const Observation& each : observations) {
    const std::optional<T>& stated = each.run.settings.*setting;
    if (!stated || !counts(each)) continue;
    const auto place =
        std::ranges::find_if(votes, [&](const auto& vote) { return vote.first == *stated; });
    if (place == votes.end())
      votes.emplace_back(*stated, 1);
    else
      ++place->second;
  }
  if (votes.empty()) return {};
  return std::ranges::max_element(votes,
                                  [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

std::vector<Observation> with_default_settings(const std::vector<Observation>& observations) {
  std::vector<Observation> filled = observations;
  for (Observation& each : filled) {
    const auto is_alike = [&](const Observation& other) {
      return other.run.workload == each.run.workload &&
             other.run.cluster->accelerator.name == each.run.cluster->accelerator.name;
    };
    const auto is_split_alike = [&](const Observation& other) {
      return is_alike(other) && split_of(other.run.plan) == split_of(each.run.plan);
    };
    RunSettings& settings = each.run.settings;
    if (!settings.precision)
      settings.precision = most_stated(observations, &RunSettings::precision, is_alike);
    if (!settings.fp8_attention)
      settings.fp8_attention =
          most_stated(observations, &RunSettings::fp8_attention, is_split_alike);
  }
  return filled;
}

}  // namespace calibration
}  // namespace tofn
