#include "sim/page/sampled.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace page {
namespace {

/// Figures of which less is better, as charts compare them.
constexpr std::array<std::string_view, 8> weighed{
    "accelerators",      "step_s",   "time_s",     "days",
    "time_to_train_min", "cost_usd", "energy_kwh", "accelerator_hours"};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double number_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* whole = std::get_if<long long>(&value)) return static_cast<double>(*whole);
  return unknown;
}

std::vector<double> column_of(const Records& records, std::size_t column) {
  std::vector<double> values;
  for (const auto& row : records.rows) values.push_back(number_of(row[column]));
  return values;
}

/// Keeps the Pareto front of rows with both numbers.
void keep_front(const std::vector<double>& a, const std::vector<double>& b,
                std::vector<bool>& is_kept) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] == a[i] && b[i] == b[i]) order.push_back(i);
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) {
    return a[i] != a[j] ? a[i] < a[j] : b[i] < b[j];
  });
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : order) {
    if (b[i] >= least) continue;
    least = b[i];
    is_kept[i] = true;
  }
}

void keep_ends(const std::vector<double>& values, std::vector<bool>& is_kept) {
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == values[i]) known.push_back(i);
  if (known.empty()) return;
  const auto [least, most] = std::ranges::minmax_element(
      known, [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  is_kept[*least] = is_kept[*most] = true;
}

/// Fills the remaining room with rows at equal distances.
void keep_evenly(std::vector<bool>& is_kept, std::size_t most) {
  const auto kept = static_cast<std::size_t>(std::ranges::count(is_kept, true));
  if (kept >= most) return;
  const double every = static_cast<double>(is_kept.size()) / static_cast<double>(most - kept);
  for (double at = 0; at < static_cast<double>(is_kept.size()); at += every)
    is_kept[static_cast<std::size_t>(at)] = true;
}

}  // namespace

Records sampled(Records records, std::size_t most) {
  if (records.rows.size() <= most) return records;
  std::vector<bool> is_kept(records.rows.size());
  std::vector<std::vector<double>> figures;
  for (std::size_t c = 0; c < records.columns.size(); ++c) {
    std::vector<double> values = column_of(records, c);
    keep_ends(values, is_kept);
    if (std::ranges::find(weighed, records.columns[c]) != weighed.end())
      figures.push_back(std::move(values));
  }
  for (std::size_t i = 0; i < figures.size(); ++i)
    for (std::size_t j = i + 1; j < figures.size(); ++j)
      keep_front(figures[i], figures[j], is_kept);
  keep_evenly(is_kept, most);
  Records kept{.columns = std::move(records.columns), .rows = {}};
  for (std::size_t i = 0; i < is_kept.size(); ++i)
    if (is_kept[i]) kept.rows.push_back(std::move(records.rows[i]));
  return kept;
}

}  // namespace page
}  // namespace tofn
