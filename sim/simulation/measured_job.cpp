#include "sim/simulation/measured_job.hpp"

#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace simulation {

std::string job_key(const Model& model, const Plan& plan, const Cluster& cluster) {
  return fmt::format("{}|{}|{}|{}|{}|{}", model.name, model.sequence_length,
                     model_flops(model).base(), cluster.name, to_text(asked_precision(model, plan)),
                     plan_words(without_idle_options(plan)));
}

void take_measured(SimulatedStep& step, const KernelProfile& profile) {
  if (!profile.measured_job) return;
  const MeasuredJob& seen = *profile.measured_job;
  add_new(step.substitutions, seen.notes);
  const bool is_alike = !step.heterogeneous.mixed && !step.heterogeneous.slow.is_slower();
  if (!is_alike || job_key(step.model, step.plan, step.cluster) != seen.key) return;
  add_new(step.substitutions, {"this is the job that was measured: the step is the measurement, "
                               "the parts are shares of it"});
  step.times = scaled(step.times, seen.factor);
  step.responses = StepResponses::of_measured(seen.deviation);
}

}  // namespace simulation
}  // namespace tofn
