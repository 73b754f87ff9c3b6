#include "microbench/app/budget.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace tofn::bench {

int points_that_fit(int points, int together, double seconds, const StoppingRule& rule) {
  const double fitting = std::max(seconds, 0.0) / (rule.least_visits * rule.visit_time);
  const int most = fitting < points ? static_cast<int>(fitting) : points;
  return most / together * together;
}

std::vector<double> most_useful_sizes(const std::vector<double>& sizes, int count) {
  const auto wanted = std::min(static_cast<std::size_t>(std::max(count, 0)), sizes.size());
  std::vector<double> chosen;
  const auto choose = [&](std::size_t index) {
    if (chosen.size() < wanted) chosen.push_back(sizes[index]);
  };
  if (sizes.empty()) return chosen;
  choose(0);
  if (sizes.size() > 1) choose(sizes.size() - 1);
  std::deque<std::pair<std::size_t, std::size_t>> gaps{{0, sizes.size() - 1}};  // widest first
  while (!gaps.empty() && chosen.size() < wanted) {
    const auto [low, high] = gaps.front();
    gaps.pop_front();
    if (high - low < 2) continue;
    const std::size_t middle = (low + high) / 2;
    choose(middle);
    gaps.emplace_back(middle, high);
    gaps.emplace_back(low, middle);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<GemmShape> in_turn(const std::vector<std::vector<GemmShape>>& by_workload) {
  std::size_t most = 0;
  for (const auto& shapes : by_workload) most = std::max(most, shapes.size());
  std::vector<GemmShape> all;
  for (std::size_t i = 0; i < most; ++i)
    for (const auto& shapes : by_workload)
      if (i < shapes.size() && std::find(all.begin(), all.end(), shapes[i]) == all.end())
        all.push_back(shapes[i]);
  return all;
}

}  // namespace tofn::bench
