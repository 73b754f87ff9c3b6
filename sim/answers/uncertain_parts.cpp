#include "sim/answers/uncertain_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tofn {
inline namespace answers {

double variance_of(const Interval& ends) {
  return std::pow((ends.high - ends.low) / 2 / ninety_percent_deviations, 2);
}

double price_deviation(const Cluster& cluster, const ExpenseOptions& expenses,
                       std::span<const Cluster* const> all) {
  const auto price = choose_price(cluster, expenses);
  if (!price || !price->is_typical || expenses.price) return 0;
  std::vector<double> logarithms{std::log(price->usd_per_hour)};
  for (const Cluster* other : all)
    if (other->accelerator.name == cluster.accelerator.name && !other->is_a_view())
      if (const auto& own = other->prices[static_cast<std::size_t>(price->term)])
        logarithms.push_back(std::log(own->value));
  return logarithms.size() < 2 ? 0 : standard_deviation(logarithms);
}

void add_price(std::vector<UncertainPart>& parts, double deviation) {
  if (deviation == 0) return;
  const double reach = ninety_percent_deviations * deviation;
  parts.push_back(
      {"price of the accelerator", {-reach, reach}, deviation * deviation, Settling::Quotes});
}

TimeUncertainties collected(std::vector<UncertainPart> parts, const HoursTaken& hours) {
  std::ranges::stable_sort(parts, std::greater{}, &UncertainPart::variance);
  double sum = 0;
  std::array<double, settled_by.size()> settled{};
  for (const UncertainPart& part : parts) {
    sum += part.variance;
    settled[static_cast<std::size_t>(part.by)] += part.variance;
  }
  TimeUncertainties found{.all = {}, .deviation = std::sqrt(sum), .next = {}};
  if (sum == 0) return found;
  for (const UncertainPart& part : parts)
    found.all.push_back({.name = part.name,
                         .factor = {std::exp(std::min(part.logarithm.low, part.logarithm.high)),
                                    std::exp(std::max(part.logarithm.low, part.logarithm.high))},
                         .share = part.variance / sum,
                         .by = part.by});
  for (std::size_t i = 0; i < settled_by.size(); ++i)
    if (settled[i] > 0 && hours[i] >= 0)
      found.next.push_back({.name = std::string(settled_by[i].measurement),
                            .command = std::string(settled_by[i].command),
                            .accelerator_hours = hours[i],
                            .deviation = std::sqrt(std::max(0.0, sum - settled[i])),
                            .is_a_bound = true});
  found.next = ranked(std::move(found.next));
  return found;
}

}  // namespace answers
}  // namespace tofn
