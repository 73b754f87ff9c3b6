#include "sim/calibration/own_steps.hpp"

#include "sim/calibration/determined_terms.hpp"
#include "sim/calibration/step_fit.hpp"

namespace tofn {
inline namespace calibration {

std::vector<Observation> with_own_steps(std::vector<Observation> published,
                                        const std::vector<Observation>& own) {
  if (own.empty()) return published;
  const RunDescription& mine = own.front().run;
  std::vector<const Observation*> all;
  for (const Observation& each : own) all.push_back(&each);
  const bool tells_overhead = overhead_is_determined(all);
  for (Observation& each : published) {
    const bool is_alike = each.run.workload == mine.workload &&
                          each.run.cluster->accelerator.name == mine.cluster->accelerator.name;
    if (is_alike && tells_overhead) each.calibrates_step = false;
  }
  std::vector<Observation> joined = own;
  joined.insert(joined.end(), published.begin(), published.end());
  return joined;
}

}  // namespace calibration
}  // namespace tofn
