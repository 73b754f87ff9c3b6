#include "sim/simulation/step_energy.hpp"

#include "sim/parallelism/placed_plan.hpp"

namespace tofn {
inline namespace simulation {

Activity activity_of(const StepTimes& times) {
  Activity activity;
  const auto add = [&](Seconds& to, StepPart part) {
    to += times.parts[static_cast<std::size_t>(part)];
  };
  for (const StepPart part : {StepPart::Compute, StepPart::Optimizer})
    add(activity.computing, part);
  add(activity.launching, StepPart::Launch);
  for (const StepPart part :
       {StepPart::Tensor, StepPart::Context, StepPart::Expert, StepPart::Pipeline, StepPart::Data,
        StepPart::Bubble, StepPart::Imbalance})
    add(activity.communicating, part);
  return activity;
}

Energy energy_of(const SimulatedStep& step, std::optional<double> facility_factor) {
  const MachinePower own =
      machine_power(step.cluster, placed_job(step.plan, step.cluster), facility_factor);
  if (step.kinds.empty()) return energy_of(own, step.activity);
  Energy sum;
  for (std::size_t i = 0; i < step.kinds.size(); ++i) {
    const AcceleratorKind& kind = step.kinds[i];
    const Cluster& cluster = i == 0 ? step.cluster : step.heterogeneous.mixed->cluster;
    Activity activity = kind.activity;
    activity.communicating = step.times.total - activity.computing - activity.launching;
    const Energy part = energy_of(machine_power(cluster, kind.accelerators), activity);
    sum.accelerators += part.accelerators;
    sum.hosts += part.hosts;
  }
  sum.switches = own.switches * step.times.total;
  sum.facility = (own.facility_factor - 1) * (sum.nodes() + sum.switches);
  return sum;
}

}  // namespace simulation
}  // namespace tofn
