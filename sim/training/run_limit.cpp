#include "sim/training/run_limit.hpp"

#include <algorithm>

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

}  // namespace training
}  // namespace tofn
