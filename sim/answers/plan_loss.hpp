#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/model_run.hpp"

namespace tofn {
inline namespace answers {

/// One of the factors whose product is a figure of a run, compared between two runs.
struct LostBy {
  std::string_view name;
  double ratio = 1;  ///< of the other run to the best; above 1 it favours the best
  /// Difference of each part in accelerator-time per sample, as a share of the best run's total;
  /// largest first. Empty for other factors.
  std::vector<std::pair<StepPart, double>> parts{};
};

/// Factors by which `other` exceeds `best` in an objective, greatest first. Their product is the
/// ratio of the two, except for factors within a thousandth of 1, which are left out.
std::vector<LostBy> lost_by(const RunPoint& best, const RunPoint& other,
                            std::string_view objective);

}  // namespace answers
}  // namespace tofn
