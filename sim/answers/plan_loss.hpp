#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/job_answer.hpp"

namespace tofn {
inline namespace answers {

/// One factor of what a run has more of than another: figures are products of them.
struct LostBy {
  std::string_view name;
  double ratio = 1;  ///< of the other run to the best; above 1 it is for the best
  /// Of accelerator-time of a sample: each part's share of what the best takes, the greatest first.
  std::vector<std::pair<StepPart, double>> parts{};
};

/// Why `other` has more of an objective than `best`, the greatest factor first; factors below a
/// thousandth are left out. Their product is the ratio of the two, but for those.
std::vector<LostBy> lost_by(const RunPoint& best, const RunPoint& other,
                            std::string_view objective);

}  // namespace answers
}  // namespace tofn
