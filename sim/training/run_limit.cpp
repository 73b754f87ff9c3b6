#include "sim/training/run_limit.hpp"

#include <algorithm>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace training {

double chance_of(const RunEstimate& run, const std::vector<RunLimit>& limits,
                 const RunLimit* without) {
  const auto kept = std::count_if(run.draws.begin(), run.draws.end(), [&](const JobDraw& draw) {
    return std::all_of(limits.begin(), limits.end(), [&](const RunLimit& limit) {
      return &limit == without || run.drawn(limit.figure, draw) <= limit.most;
    });
  });
  return static_cast<double>(kept) / static_cast<double>(run.draws.size());
}

double largest_excess(const RunEstimate& run, const std::vector<RunLimit>& limits) {
  double largest = 0;
  for (const RunLimit& limit : limits) {
    std::vector<double> drawn;
    for (const JobDraw& draw : run.draws) drawn.push_back(run.drawn(limit.figure, draw));
    largest = std::max(largest, quantile(drawn, 0.5) / limit.most);
  }
  return largest;
}

}  // namespace training
}  // namespace tofn
