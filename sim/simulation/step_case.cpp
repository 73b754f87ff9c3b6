#include "sim/simulation/fit_efficiency.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {

StepTimes step_times(const StepCase& step, const KernelProfile& profile) {
  return simulate(step_work(step.model, step.plan, step.cluster, profile));
}

}  // namespace simulation
}  // namespace tofn
