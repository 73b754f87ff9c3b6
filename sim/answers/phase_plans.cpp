#include "sim/answers/phase_plans.hpp"

#include <cmath>
#include <utility>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {

BestPlan phase_plan(const ModelRun& request, const RunPhase& phase, int accelerators, double batch,
                    PlanSteps& steps, Seconds to_beat) {
  return filled_plan(phase.plan,
                     {.model = phase.model,
                      .cluster = request.cluster,
                      .profile = request.stack,
                      .accelerators = accelerators,
                      .global_batch = batch,
                      .space = request.space,
                      .to_beat = to_beat},
                     steps);
}

/// Returns the shared plan with as many passes as the batch needs; absent if it does not split it.
std::optional<Plan> PhasePlans::held_at(double batch) const {
  const double passes = batch / (held_->data_parallel_size * held_->micro_batch);
  if (passes < 1 || passes != std::floor(passes)) return {};
  Plan plan = *held_;
  plan.gradient_accumulation = static_cast<int>(passes);
  try {
    check_plan(plan);
  } catch (const InputError&) {
    return {};
  }
  return plan;
}

Plan PhasePlans::at(double batch) {
  if (held_)
    if (const auto plan = held_at(batch)) return *plan;
  const BestPlan best = phase_plan(request_, phase_, accelerators_, batch, steps_);
  const Plan& plan = best.plan;
  tried_ += best.tried;
  if (held_) split_anew_.push_back(batch);
  if (!held_) held_ = plan;
  return plan;
}

}  // namespace answers
}  // namespace tofn
