#include "sim/formats/step_logs/steady_steps.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace tofn {
inline namespace formats {
namespace {

std::vector<double> seconds_of(std::span<const LoggedStep> steps) {
  std::vector<double> seconds;
  seconds.reserve(steps.size());
  for (const LoggedStep& each : steps) seconds.push_back(each.seconds);
  return seconds;
}

/// Most times of a warm-up: compilation, caches and clocks settle within a few steps. Times that
/// stay away from the later ones for longer are a level of their own, grow or scatter.
std::size_t most_warm_up(std::size_t times) { return std::max<std::size_t>(10, times / 10); }

std::size_t warm_up_of(std::span<const LoggedStep> steps) {
  if (steps.size() < least_times) return 0;
  const std::size_t half = steps.size() / 2;
  const std::size_t most = std::min(half, most_warm_up(steps.size()));
  const double settled = median(seconds_of(steps.subspan(half)));
  const auto is_warm = [&](std::size_t i) {
    return std::abs(steps[i].seconds - settled) <= warm_band * settled;
  };
  std::size_t cold = 1;
  while (cold < most && !is_warm(cold)) ++cold;
  return is_warm(cold) ? cold : 1;
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

/// Distance from the median at which outliers begin.
double reach_of(Values times, double centre) {
  return std::max(outlier_deviations * robust_deviation(times), least_outlier * centre);
}

/// Returns the times of the more frequent of two levels, or all of them if there is one: levels are
/// a quarter of the times or more, and lie apart by a gap of a fifth in which no time is.
std::vector<double> frequent_level(Values times) {
  constexpr double least_gap = 0.2;
  constexpr std::size_t least = 8;
  std::vector<double> sorted(times.begin(), times.end());
  std::ranges::sort(sorted);
  if (sorted.size() < least) return sorted;
  const std::size_t quarter = (sorted.size() + 3) / 4;
  std::size_t above = quarter;  // first index of the upper level
  for (std::size_t i = quarter; i + quarter <= sorted.size(); ++i)
    if (sorted[i] - sorted[i - 1] > sorted[above] - sorted[above - 1]) above = i;
  if (sorted[above] - sorted[above - 1] <= least_gap * sorted[above - 1]) return sorted;
  const auto border = sorted.begin() + static_cast<std::ptrdiff_t>(above);
  if (2 * above >= sorted.size()) return {sorted.begin(), border};
  return {border, sorted.end()};
}

/// Clips values to that distance.
std::vector<double> clipped(Values values) {
  const double centre = median(values);
  const double reach = reach_of(values, centre);
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

bool hold_level(Values values, double level, double other) {
  const auto strays = std::ranges::count_if(
      values, [&](double each) { return (each - level) / (other - level) > 0.25; });
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

/// Returns the cost of the outliers of `all` times.
OutlierSteps cost_of(const SteadySteps& steady, std::span<const LoggedStep> all) {
  OutlierSteps cost;
  double time = 0;
  for (const LoggedStep& each : all) {
    cost.of += each.steps;
    time += each.seconds * each.steps;
  }
  double longer = 0;
  for (const LoggedStep& each : steady.outliers) {
    cost.steps += each.steps;
    longer += (each.seconds - steady.seconds) * each.steps;
  }
  if (!steady.outliers.empty()) cost.step = Seconds{median(seconds_of(steady.outliers))};
  cost.share = longer / time;
  return cost;
}

}  // namespace

SteadySteps steady_steps(std::span<const LoggedStep> all, bool goes_on) {
  assert(!all.empty());
  const std::size_t cold = goes_on ? 0 : warm_up_of(all);
  std::vector<LoggedStep> warm(all.begin() + static_cast<std::ptrdiff_t>(cold), all.end());
  drop_cold(warm);
  SteadySteps steady{.warm_up = all.size() - warm.size()};
  const auto times = seconds_of(warm);
  const auto level = frequent_level(times);
  steady.has_two_levels = level.size() < times.size();
  const double centre = median(level);
  const double reach = reach_of(level, centre);
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
  steady.cost = cost_of(steady, all);
  return steady;
}

std::string outliers_text(const SteadySteps& steady, std::size_t times) {
  if (steady.has_two_levels)
    return fmt::format(
        "WARNING: the times have two levels that alternate: {} of about {:.4g} s and {} of about "
        "{:.4g} s; the more frequent one is taken, and no mean",
        times - steady.warm_up - steady.outliers.size(), steady.seconds, steady.outliers.size(),
        steady.cost.step.base());
  constexpr std::size_t most_named = 4;
  std::string text = fmt::format(
      "{} of {} times left out as outliers (over {:g} deviations and {:g} % from the median):",
      steady.outliers.size(), times, outlier_deviations, 100 * least_outlier);
  for (std::size_t i = 0; i < std::min(most_named, steady.outliers.size()); ++i)
    text += fmt::format("{} {:.4g} s in line {}", i == 0 ? "" : ",", steady.outliers[i].seconds,
                        steady.outliers[i].line.number);
  return text + (steady.outliers.size() > most_named ? ", ..." : "");
}

std::string unsettled_text(std::span<const LoggedStep> steps, const SteadySteps& steady) {
  if (steady.warm_up > 0 || !steady.outliers.empty()) return "";
  const auto [least, most] = std::ranges::minmax_element(
      steps, [](const LoggedStep& a, const LoggedStep& b) { return a.seconds < b.seconds; });
  if (std::ranges::all_of(steps, [](const LoggedStep& each) { return each.is_cold; }))
    return fmt::format(
        "{:.4g} s of a step hold the warm-up of the job's first one: no other is "
        "printed",
        steady.seconds);
  if (steps.size() >= least_times || most->seconds <= (1 + warm_band) * least->seconds) return "";
  return fmt::format(
      "{} times of {:.4g} to {:.4g} s: warm-up does not show in fewer than {}, none "
      "is left out",
      steps.size(), least->seconds, most->seconds, least_times);
}

std::vector<std::size_t> changes_of(Values seconds) {
  const std::size_t fewest = std::max<std::size_t>(5, seconds.size() / 20);
  std::vector<std::size_t> changes;
  add_cuts(seconds, 0, fewest, changes);
  keep_changes(seconds, most_warm_up(seconds.size()), changes);
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
  std::vector<std::span<const LoggedStep>> parts;
  std::size_t start = 0;
  for (const std::size_t change : changes_of(seconds_of(steps))) {
    // A job's first step is long, and of no level: it begins the part of the steps behind it.
    const bool is_first = steps[change - 1].is_cold && change - 1 > start;
    const std::size_t end = is_first ? change - 1 : change;
    parts.push_back(steps.subspan(start, end - start));
    start = end;
  }
  parts.push_back(steps.subspan(start));
  return parts;
}

std::optional<ClockInterval> clock_between(const LoggedStep& from, const LoggedStep& to) {
  if (!from.clock || !to.clock || !from.figures.iteration || !to.figures.iteration) return {};
  return ClockInterval{.seconds = seconds_between(*from.clock, *to.clock),
                       .iterations = *to.figures.iteration - *from.figures.iteration,
                       .resolution = from.clock->resolution + to.clock->resolution};
}

}  // namespace formats
}  // namespace tofn
