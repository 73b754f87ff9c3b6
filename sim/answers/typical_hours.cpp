#include "sim/answers/typical_hours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace tofn {
inline namespace answers {
namespace {

constexpr std::array weights{0.0, 0.25, 0.5, 0.75, 1.0};
constexpr double most = 0.9;

using Runs = std::vector<const RunHours*>;

struct Weighed {
  double value;
  double weight;
};

/// Least value such that this share of all weight is at or below it.
double quantile(std::vector<Weighed> values, double share) {
  std::ranges::sort(values, {}, &Weighed::value);
  double all = 0;
  for (const Weighed& each : values) all += each.weight;
  constexpr double rounding = 1e-9;  // the sum of ten tenths may be a little less than one
  double below = 0;
  for (const Weighed& each : values)
    if ((below += each.weight) >= share * all - rounding) return each.value;
  return 0;
}

double log_base(const RunHours& run, double weight) {
  return weight * std::log(run.simulated) + (1 - weight) * std::log(run.at_peak);
}

/// Runs of all families but one that the time of steps is fitted to.
Runs steps_of_others(std::span<const RunHours* const> runs, std::string_view left_out) {
  Runs others;
  for (const RunHours* run : runs)
    if (run->family != left_out && run->stated > 0 && !run->hold_more) others.push_back(run);
  return others;
}

/// Logarithm of the run's time over its steps and simulated interruptions; at least 0.
double stated_excess(const RunHours& run) {
  return std::max(0.0, std::log(run.simulated_goodput / *run.goodput));
}

double mean_excess(std::span<const RunHours* const> runs, std::string_view left_out) {
  double sum = 0;
  int count = 0;
  for (const RunHours* run : runs) {
    if (run->family == left_out || !run->goodput) continue;
    sum += stated_excess(*run);
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

/// Logarithm of the hours of the steps, with the simulated interruptions.
double log_steps(const RunHours& run, double excess) {
  const double stated = std::log(run.stated);
  if (run.are_steps_alone) return stated;
  return stated - (run.goodput ? stated_excess(run) : excess);
}

std::vector<double> family_weights(const Runs& runs) {
  std::map<std::string_view, double> sizes;
  for (const RunHours* run : runs) sizes[run->family] += 1;
  std::vector<double> shares;
  for (const RunHours* run : runs) shares.push_back(1 / sizes[run->family]);
  return shares;
}

/// Median of the logarithm of steps over their base.
double log_factor(const Runs& runs, double weight, double excess) {
  const std::vector<double> shares = family_weights(runs);
  std::vector<Weighed> factors;
  for (std::size_t i = 0; i < runs.size(); ++i)
    factors.push_back({log_steps(*runs[i], excess) - log_base(*runs[i], weight), shares[i]});
  return quantile(std::move(factors), 0.5);
}

/// Absolute errors of the logarithm of runs' steps, each predicted from the other families.
std::vector<Weighed> misses(const Runs& runs, double weight, double excess) {
  const std::vector<double> shares = family_weights(runs);
  std::map<std::string_view, double> learned;
  std::vector<Weighed> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunHours& run = *runs[i];
    auto factor = learned.find(run.family);
    if (factor == learned.end())
      factor =
          learned.emplace(run.family, log_factor(steps_of_others(runs, run.family), weight, excess))
              .first;
    found.push_back(
        {std::abs(factor->second + log_base(run, weight) - log_steps(run, excess)), shares[i]});
  }
  return found;
}

double sum(const std::vector<Weighed>& values) {
  double total = 0;
  for (const Weighed& each : values) total += each.value * each.weight;
  return total;
}

std::vector<const RunHours*> pointers(std::span<const RunHours> runs) {
  std::vector<const RunHours*> all;
  for (const RunHours& run : runs) all.push_back(&run);
  return all;
}

/// Share of known errors that contains nine of ten of a further family: among n known ones, its own
/// error is equally likely to take any of n + 1 places (conformal prediction, Lei et al.,
/// "Distribution-free predictive inference for regression", JASA 2018).
double share_for_another(const Runs& runs) {
  std::set<std::string_view> families;
  for (const RunHours* run : runs) families.insert(run->family);
  const auto count = static_cast<double>(families.size());
  return std::min(1.0, most * (count + 1) / count);
}

TypicalHours with_weight(const Runs& others, double weight, double excess) {
  if (others.empty()) return {.weight = weight, .excess = excess};
  return {.weight = weight,
          .factor = std::exp(log_factor(others, weight, excess)),
          .spread = std::exp(quantile(misses(others, weight, excess), share_for_another(others))),
          .excess = excess};
}

}  // namespace

double TypicalHours::of(const RunHours& run) const {
  return factor * std::exp(log_base(run, weight) + (run.are_steps_alone ? 0 : excess));
}

TypicalHours typical_hours(std::span<const RunHours> runs, std::string_view left_out,
                           double weight) {
  const Runs all = pointers(runs);
  return with_weight(steps_of_others(all, left_out), weight, mean_excess(all, left_out));
}

TypicalHours typical_hours(std::span<const RunHours> runs, std::string_view left_out) {
  const Runs all = pointers(runs);
  const Runs others = steps_of_others(all, left_out);
  const double excess = mean_excess(all, left_out);
  const auto missed = [&](double weight) { return sum(misses(others, weight, excess)); };
  double best = weights.front();
  double least = missed(best);
  for (const double weight : weights)
    if (const double with = missed(weight); with < least) {
      least = with;
      best = weight;
    }
  return with_weight(others, best, excess);
}

double one_utilisation(std::span<const RunHours> runs, std::string_view left_out) {
  Runs others;
  for (const RunHours& run : runs)
    if (run.family != left_out && run.stated > 0) others.push_back(&run);
  if (others.empty()) return 1;
  const std::vector<double> shares = family_weights(others);
  std::vector<Weighed> longer;
  for (std::size_t i = 0; i < others.size(); ++i)
    longer.push_back({others[i]->stated / others[i]->at_peak, shares[i]});
  return quantile(std::move(longer), 0.5);
}

}  // namespace answers
}  // namespace tofn
