#include "sim/validation/score.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace validation {

ScoreSummary summary_of(std::span<const ScoredRow> rows) {
  if (rows.empty()) return {};
  std::vector<double> errors;
  std::vector<double> sizes;
  std::size_t inside = 0;
  for (const ScoredRow& row : rows) {
    errors.push_back(row.predicted / row.measured - 1);
    sizes.push_back(std::abs(errors.back()));
    if (row.low <= row.measured && row.measured <= row.high) ++inside;
  }
  return {.rows = rows.size(),
          .median = median(sizes),
          .ninetieth = quantile(sizes, 0.9),
          .worst = *std::max_element(sizes.begin(), sizes.end()),
          .bias = mean(errors),
          .covered = static_cast<double>(inside) / static_cast<double>(rows.size())};
}

}  // namespace validation
}  // namespace tofn
