#include "sim/training/stated_run.hpp"

#include <numeric>

namespace tofn {
inline namespace training {

double RunPhase::samples() const {
  return std::accumulate(stretches.begin(), stretches.end(), 0.0,
                         [](double sum, const BatchStretch& each) { return sum + each.samples; });
}

double StatedRun::samples() const {
  double sum = 0;
  for (const RunPhase& phase : phases) sum += phase.samples();
  return sum;
}

double StatedRun::tokens() const {
  double sum = 0;
  for (const RunPhase& phase : phases) sum += phase.samples() * phase.model.sequence_length;
  return sum;
}

}  // namespace training
}  // namespace tofn
