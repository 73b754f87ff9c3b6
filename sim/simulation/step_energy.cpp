#include "sim/simulation/step_energy.hpp"

#include "sim/simulation/step_activity.hpp"

namespace tofn {

Energy energy_of(const SimulatedStep& step) {
  const MachinePower own = machine_power(step.cluster, step.plan.accelerators());
  if (step.kinds.empty()) return energy_of(own, activity_of(step.times));
  Energy sum;
  for (std::size_t i = 0; i < step.kinds.size(); ++i) {
    const AcceleratorKind& kind = step.kinds[i];
    const Cluster& cluster = i == 0 ? step.cluster : step.unlike.mixed->cluster;
    Activity activity;
    activity.computing = kind.busy;
    activity.communicating = step.times.total - kind.busy;
    const Energy part =
        energy_of(machine_power(cluster, kind.accelerators, own.facility_factor), activity);
    sum.accelerators += part.accelerators;
    sum.hosts += part.hosts;
    sum.switches += part.switches;
    sum.facility += part.facility;
  }
  return sum;
}

}  // namespace tofn
