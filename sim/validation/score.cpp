#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {

Accuracy accuracy_of(std::span<const ScoredRow> rows) {
  std::vector<Scored> scored;
  for (const ScoredRow& row : rows) scored.push_back(row.scored());
  return accuracy_of(scored);
}

}  // namespace validation
}  // namespace tofn
