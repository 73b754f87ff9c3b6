#include "sim/answers/usual_hours.hpp"

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

/// The least value with that share of all weight at or below it.
double quantile(std::vector<Weighed> values, double share) {
  std::sort(values.begin(), values.end(),
            [](const Weighed& a, const Weighed& b) { return a.value < b.value; });
  double all = 0;
  for (const Weighed& each : values) all += each.weight;
  constexpr double rounding = 1e-9;  // ten tenths may be a little less than one
  double below = 0;
  for (const Weighed& each : values)
    if ((below += each.weight) >= share * all - rounding) return each.value;
  return 0;
}

double log_base(const RunHours& run, double weight) {
  return weight * std::log(run.simulated) + (1 - weight) * std::log(run.at_peak);
}

Runs without(std::span<const RunHours* const> runs, std::string_view family) {
  Runs others;
  for (const RunHours* run : runs)
    if (run->family != family) others.push_back(run);
  return others;
}

std::vector<double> family_weights(const Runs& runs) {
  std::map<std::string_view, double> sizes;
  for (const RunHours* run : runs) sizes[run->family] += 1;
  std::vector<double> shares;
  for (const RunHours* run : runs) shares.push_back(1 / sizes[run->family]);
  return shares;
}

double log_factor(const Runs& runs, double weight) {
  const std::vector<double> shares = family_weights(runs);
  std::vector<Weighed> factors;
  for (std::size_t i = 0; i < runs.size(); ++i)
    factors.push_back({std::log(runs[i]->stated) - log_base(*runs[i], weight), shares[i]});
  return quantile(std::move(factors), 0.5);
}

/// By how much the logarithms of runs are missed whose family is left out.
std::vector<Weighed> misses(const Runs& runs, double weight) {
  const std::vector<double> shares = family_weights(runs);
  std::map<std::string_view, double> learnt;
  std::vector<Weighed> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunHours& run = *runs[i];
    auto factor = learnt.find(run.family);
    if (factor == learnt.end())
      factor = learnt.emplace(run.family, log_factor(without(runs, run.family), weight)).first;
    found.push_back(
        {std::abs(factor->second + log_base(run, weight) - std::log(run.stated)), shares[i]});
  }
  return found;
}

double sum(const std::vector<Weighed>& values) {
  double total = 0;
  for (const Weighed& each : values) total += each.value * each.weight;
  return total;
}

Runs others_of(std::span<const RunHours> runs, std::string_view left_out) {
  Runs others;
  for (const RunHours& run : runs)
    if (run.family != left_out) others.push_back(&run);
  return others;
}

/// The share of known misses that holds nine of ten of a further family: of n that are known its
/// own miss takes any of n + 1 places (conformal prediction, Lei et al., "Distribution-free
/// predictive inference for regression", JASA 2018).
double share_for_another(const Runs& runs) {
  std::set<std::string_view> families;
  for (const RunHours* run : runs) families.insert(run->family);
  const auto count = static_cast<double>(families.size());
  return std::min(1.0, most * (count + 1) / count);
}

UsualHours with_weight(const Runs& others, double weight) {
  if (others.empty()) return {.weight = weight};
  return {.weight = weight,
          .factor = std::exp(log_factor(others, weight)),
          .spread = std::exp(quantile(misses(others, weight), share_for_another(others)))};
}

}  // namespace

double UsualHours::of(const RunHours& run) const {
  return factor * std::exp(log_base(run, weight));
}

UsualHours usual_hours(std::span<const RunHours> runs, std::string_view left_out, double weight) {
  return with_weight(others_of(runs, left_out), weight);
}

UsualHours usual_hours(std::span<const RunHours> runs, std::string_view left_out) {
  const Runs others = others_of(runs, left_out);
  const double* best = weights.begin();
  double least = sum(misses(others, *best));
  for (const double* each = best + 1; each != weights.end(); ++each)
    if (const double missed = sum(misses(others, *each)); missed < least) {
      least = missed;
      best = each;
    }
  return with_weight(others, *best);
}

}  // namespace answers
}  // namespace tofn
