#include "sim/simulation/step_activity.hpp"

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

}  // namespace simulation
}  // namespace tofn
