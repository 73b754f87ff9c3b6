#include "sim/answers/job_answer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/answers/step_answer.hpp"
#include "sim/core/error.hpp"
#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace answers {
namespace {

double batch_of(const JobRequest& asked) {
  if (asked.batch) return *asked.batch;
  if (asked.model.sequence_length <= 0)
    throw InputError({}, "--batch", "is needed: samples of this model are no texts");
  return batch_samples(usual_batch_tokens, asked.model.sequence_length);
}

JobPoint point_at(const JobRequest& asked, int accelerators, double batch) {
  JobPoint point{
      .accelerators = accelerators, .estimate = {}, .way_out = {}, .skipped_because = {}};
  Plan plan;
  const bool has_passes = asked.plan.micro_batch || asked.plan.gradient_accumulation;
  const bool states_all = asked.is_stated("plan") && has_passes;
  // A plan's file states all but, perhaps, what a pass holds.
  const auto is_fixed = [&](std::string_view name) {
    const bool is_of_passes = name == "micro_batch" || name == "gradient_accumulation";
    return asked.is_stated(name) || (asked.is_stated("plan") && !is_of_passes);
  };
  if (states_all) {
    plan = plan_on(asked.plan, accelerators, batch);
  } else {
    Plan split = asked.plan.split;
    if (asked.plan.micro_batch) split.micro_batch = *asked.plan.micro_batch;
    if (asked.plan.gradient_accumulation)
      split.gradient_accumulation = *asked.plan.gradient_accumulation;
    const BestPlan best = best_plan({.model = asked.model,
                                     .cluster = asked.cluster,
                                     .profile = asked.profile,
                                     .accelerators = accelerators,
                                     .global_batch = batch,
                                     .asked = split,
                                     .is_fixed = is_fixed});
    plan = best.plan;
    point.plans_tried = best.tried;
  }
  const SimulatedStep step = simulate_step(asked.model, plan, asked.cluster, asked.profile);
  point.fits = fits(step);
  if (!point.fits) point.way_out = nearest_plan_that_fits(step);
  point.estimate = estimate({.phases = {{step, asked.samples.value_or(batch)}},
                             .evaluation = asked.evaluation,
                             .start_up = asked.samples ? asked.start_up : Seconds{},
                             .expenses = asked.expenses,
                             .grid_intensity = asked.grid_intensity});
  return point;
}

}  // namespace

double batch_samples(double tokens, double sequence_length) {
  constexpr double near = 0.07;
  const double samples = tokens / sequence_length;
  const double power = std::exp2(std::round(std::log2(std::max(1.0, samples))));
  return std::abs(power / samples - 1) <= near ? power : std::max(1.0, std::round(samples));
}

JobAnswer job_answer(const JobRequest& asked) {
  JobAnswer answer{.batch = batch_of(asked),
                   .is_usual_batch = !asked.batch,
                   .is_one_step = !asked.samples,
                   .points = {}};
  bool any = false;
  for (const int size : asked.sizes) {
    JobPoint point{.accelerators = size, .estimate = {}, .way_out = {}, .skipped_because = {}};
    try {
      point = point_at(asked, size, answer.batch);
      any = true;
    } catch (const InputError& error) {
      point.skipped_because = error.what();
    }
    answer.points.push_back(std::move(point));
  }
  if (!any) {
    const JobPoint& first = answer.points.front();
    throw InputError(
        {}, fmt::format("N = {}", first.accelerators),
        first.skipped_because + (answer.points.size() > 1 ? " (nor any other N)" : ""));
  }
  return answer;
}

}  // namespace answers
}  // namespace tofn
