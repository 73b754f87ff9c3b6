#include "sim/answers/calibrate_answer.hpp"

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/validation/link_lint.hpp"

namespace tofn {
inline namespace answers {

std::vector<FittedTable> fit_tables(const std::vector<CollectiveTable>& tables) {
  std::vector<FittedTable> fitted;
  for (const CollectiveTable& table : tables) fitted.push_back({table, fit_curve(table)});
  return fitted;
}

std::string impossibility_of(const CollectiveTable& table, const Cluster* cluster) try {
  return (cluster == nullptr ? faults_of(table) : faults_on(table, *cluster)).impossible;
} catch (const InputError& error) {
  return error.what();
}

Reach reach_of(const Cluster* cluster) {
  constexpr double share = 8;
  Reach reach;
  if (cluster != nullptr)
    reach.largest = std::min(reach.largest, cluster->accelerator.memory.value / share);
  return reach;
}

}  // namespace answers
}  // namespace tofn
