#include "sim/training/run_limit.hpp"

#include <algorithm>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace training {

double chance_of(const RunEstimate& run, const std::vector<RunLimit>& limits,
                 const RunLimit* without) {
  const auto kept = std::ranges::count_if(run.samples, [&](const RunSample& draw) {
    return std::ranges::all_of(limits, [&](const RunLimit& limit) {
      return &limit == without || run.sampled(figure_of(limit.figure), draw) <= limit.most;
    });
  });
  return static_cast<double>(kept) / static_cast<double>(run.samples.size());
}

double largest_excess(const RunEstimate& run, const std::vector<RunLimit>& limits) {
  double largest = 0;
  for (const RunLimit& limit : limits) {
    std::vector<double> drawn;
    for (const RunSample& draw : run.samples)
      drawn.push_back(run.sampled(figure_of(limit.figure), draw));
    largest = std::max(largest, quantile(drawn, 0.5) / limit.most);
  }
  return largest;
}

}  // namespace training
}  // namespace tofn
