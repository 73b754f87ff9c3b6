#include "sim/formats/step_logs/step_regimes.hpp"

#include <algorithm>
#include <cmath>

namespace tofn {
inline namespace formats {
namespace {

/// Clips values to the distance from the median at which outliers begin.
std::vector<double> clipped(Values values) {
  const double centre = median(values);
  const double reach =
      std::max(outlier_deviations * robust_deviation(values), least_outlier * centre);
  std::vector<double> result;
  for (const double each : values)
    result.push_back(std::clamp(each, centre - reach, centre + reach));
  return result;
}

/// Cut that explains most variance: for n values with mean m, of which k with sum S lie before it,
/// the one with the largest (S - k m)^2 / (k (n - k)).
std::size_t best_cut(Values values, std::size_t fewest) {
  const double overall = mean(values);
  const auto all = static_cast<double>(values.size());
  std::size_t best = fewest;
  double most = -1;
  double sum = 0;
  for (std::size_t cut = 1; cut + fewest <= values.size(); ++cut) {
    sum += values[cut - 1] - overall;
    const auto before = static_cast<double>(cut);
    const double explained = sum * sum / (before * (all - before));
    if (cut < fewest || explained <= most) continue;
    most = explained;
    best = cut;
  }
  return best;
}

/// Cuts into parts of at least `fewest` values, far too many of them: binary segmentation (Scott &
/// Knott, Biometrics 1974) to its end, because a single cut explains little of a level that comes
/// and goes.
void add_cuts(Values values, std::size_t first, std::size_t fewest,
              std::vector<std::size_t>& cuts) {
  if (values.size() < 2 * fewest) return;
  const std::size_t cut = best_cut(clipped(values), fewest);
  add_cuts(values.first(cut), first, fewest, cuts);
  cuts.push_back(first + cut);
  add_cuts(values.subspan(cut), first + cut, fewest, cuts);
}

bool hold_level(Values values, double own, double other) {
  const auto strays = std::count_if(values.begin(), values.end(), [&](double each) {
    return (each - own) / (other - own) > 0.25;
  });
  return 10 * static_cast<std::size_t>(strays) < values.size();
}

bool is_change(Values before, Values after) {
  const double level = median(before);
  const double later = median(after);
  return std::abs(later - level) > least_outlier * std::min(level, later) &&
         hold_level(before, level, later) && hold_level(after, later, level);
}

/// Parts on both sides of a cut, up to the neighbouring cuts.
struct Sides {
  std::size_t start = 0;
  std::size_t end = 0;
  Values before;
  Values after;
};
Sides sides_of(Values all, const std::vector<std::size_t>& cuts, std::size_t i) {
  const std::size_t start = i == 0 ? 0 : cuts[i - 1];
  const std::size_t end = i + 1 < cuts.size() ? cuts[i + 1] : all.size();
  return {start, end, all.subspan(start, cuts[i] - start), all.subspan(cuts[i], end - cuts[i])};
}

/// Removes cuts that are not changes, from the first on.
void keep_changes(Values all, std::size_t fewest_at_start, std::vector<std::size_t>& cuts) {
  for (std::size_t i = 0; i < cuts.size();) {
    const Sides sides = sides_of(all, cuts, i);
    const bool is_warm_up = sides.start == 0 && cuts[i] < fewest_at_start;
    if (!is_warm_up && is_change(sides.before, sides.after)) {
      ++i;
      continue;
    }
    cuts.erase(cuts.begin() + static_cast<std::ptrdiff_t>(i));
    if (i > 0) --i;  // the part after the previous cut has changed
  }
}

}  // namespace

std::vector<std::size_t> changes_of(Values seconds) {
  const std::size_t fewest = std::max<std::size_t>(5, seconds.size() / 20);
  std::vector<std::size_t> changes;
  add_cuts(seconds, 0, fewest, changes);
  keep_changes(seconds, std::max<std::size_t>(10, seconds.size() / 10), changes);
  // Cuts kept a distance from others that were no changes, so each change moves to where it
  // explains most.
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Sides sides = sides_of(seconds, changes, i);
    const Values both = seconds.subspan(sides.start, sides.end - sides.start);
    changes[i] = sides.start + best_cut(clipped(both), fewest);
  }
  return changes;
}

std::vector<std::span<const LoggedStep>> regimes_of(std::span<const LoggedStep> steps) {
  std::vector<double> seconds;
  for (const LoggedStep& each : steps) seconds.push_back(each.seconds);
  std::vector<std::span<const LoggedStep>> parts;
  std::size_t start = 0;
  for (const std::size_t change : changes_of(seconds)) {
    parts.push_back(steps.subspan(start, change - start));
    start = change;
  }
  parts.push_back(steps.subspan(start));
  return parts;
}

}  // namespace formats
}  // namespace tofn
