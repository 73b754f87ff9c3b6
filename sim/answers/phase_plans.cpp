#include "sim/answers/phase_plans.hpp"

#include <cmath>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace answers {

BestPlan phase_plan(const JobRequest& asked, const RunPhase& phase, int accelerators, double batch,
                    PlanSteps& steps) {
  const PlanFile& file = phase.plan;
  if (file.is_whole && (file.micro_batch || file.gradient_accumulation)) {
    const Plan plan = plan_on(file, accelerators, batch);
    const StepWork work = step_work(phase.model, plan, asked.cluster, asked.profile);
    return {.plan = plan, .fits = true, .time = simulate(work).total};
  }
  Plan split = file.split;
  if (file.micro_batch) split.micro_batch = *file.micro_batch;
  if (file.gradient_accumulation) split.gradient_accumulation = *file.gradient_accumulation;
  return best_plan({.model = phase.model,
                    .cluster = asked.cluster,
                    .profile = asked.profile,
                    .accelerators = accelerators,
                    .global_batch = batch,
                    .asked = split,
                    .is_fixed = [&](auto name) { return file.fixes(name); },
                    .space = asked.space},
                   steps);
}

/// The same split with as many passes as the batch needs.
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
  const BestPlan best = phase_plan(asked_, phase_, accelerators_, batch, steps_);
  const Plan& plan = best.plan;
  tried_ += best.tried;
  if (held_) split_anew_.push_back(batch);
  if (!held_) held_ = plan;
  return plan;
}

}  // namespace answers
}  // namespace tofn
