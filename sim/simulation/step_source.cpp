#include "sim/simulation/step_source.hpp"

#include "sim/core/error.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/calibrated_plan.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "sim/simulation/dimensioned_step.hpp"
#include "sim/simulation/step_activity.hpp"

namespace tofn {
inline namespace simulation {

PlacedJob StepSource::job() const { return placed_job(plan(), cluster()); }

Activity StepSource::activity() const { return activity_of(times()); }

std::shared_ptr<const StepSource> step_source(const Workload& workload, const Cluster& cluster,
                                              const Plan& plan, const RunSettings& settings,
                                              const ComputeProfile& profile) {
  if (!workload.simulated)
    return std::make_shared<CalibratedStep>(workload, cluster, plan, settings, profile);
  RunSettings known = settings;
  if (!known.precision) known.precision = profile.precision.matmul;
  return std::make_shared<DimensionedStep>(
      workload.simulated->model, cluster, simulated_plan(workload, plan, known),
      profile.kernels ? *profile.kernels : workload.simulated->kernels);
}

Plan simulated_plan(const Workload& workload, const Plan& plan, const RunSettings& settings) {
  Plan whole = with_settings(plan, settings);
  if (!whole.precision) whole.precision = workload.precision;
  return whole;
}

void require_known_plan(const Workload& workload, const Plan& plan) {
  if (workload.simulated) return;
  require_calibrated_plan(plan);
  if (plan.accelerators_per_domain)
    throw InputError(
        "accelerators_per_domain changes nothing of a workload of observed runs, which fills "
        "domains as its groups need");
}

}  // namespace simulation
}  // namespace tofn
