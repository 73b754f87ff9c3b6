#include "sim/simulation/best_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/simulation/plan_steps.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

constexpr Seconds never{std::numeric_limits<double>::infinity()};

struct Candidate {
  Plan plan;
  int split = 0;
  Seconds bound;  ///< that its kernels take at least, with the bubble
};

bool has_whole_samples(const Plan& plan) {
  return std::abs(plan.micro_batch - std::round(plan.micro_batch)) < 1e-9;
}

class Search {
 public:
  explicit Search(const PlanSearch& asked)
      : asked_(asked),
        steps_(asked.model, asked.cluster, asked.profile),
        memory_(memory_profile(asked.model, asked.asked, asked.cluster)) {}

  BestPlan run();

 private:
  void add(const Plan&, int split);
  Seconds bound_of(const Plan&);
  bool fits(const Candidate&);
  void choose(BestPlan&, bool whole_samples);

  const PlanSearch& asked_;
  PlanSteps steps_;
  MemoryProfile memory_;
  std::vector<Candidate> candidates_;
  std::optional<Plan> smallest_;
  Bytes least_excess_{std::numeric_limits<double>::infinity()};
};

BestPlan Search::run() {
  const PlanLimits limits =
      plan_limits(layer_work(asked_.model, {.precision = asked_.asked.precision}));
  visit_plans(asked_, limits, [&](const Plan& plan, int split) { add(plan, split); });
  if (candidates_.empty())
    throw InputError(
        "no plan splits this job: no tp, pp and dp divide the model, the accelerators and the "
        "batch");
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.bound < b.bound; });
  BestPlan best{.plan = {}, .time = never, .tried = static_cast<int>(candidates_.size())};
  for (const bool whole_samples : {true, false})
    if (!best.fits) choose(best, whole_samples);
  if (!best.fits) best.plan = *smallest_;
  return best;
}

/// Of those with whole micro-batches, or of the others.
void Search::choose(BestPlan& best, bool whole_samples) {
  std::set<int> held;  // splits of which a plan fits: what computes more again only takes longer
  for (const Candidate& each : candidates_) {
    if (each.bound >= best.time) break;
    if (has_whole_samples(each.plan) != whole_samples || held.contains(each.split)) continue;
    if (!fits(each)) continue;
    best.fits = true;
    held.insert(each.split);
    const Seconds time = closed_form(steps_.work(each.plan)).total;
    if (time >= best.time) continue;
    best.time = time;
    best.plan = each.plan;
  }
}

bool Search::fits(const Candidate& candidate) {
  const Footprint footprint =
      largest_footprint(steps_.layers(candidate.plan).layers, candidate.plan, memory_);
  const Bytes excess = Bytes{} - free_memory(footprint, asked_.cluster.accelerator);
  if (excess < least_excess_) {
    least_excess_ = excess;
    smallest_ = candidate.plan;
  }
  return excess <= Bytes{};
}

void Search::add(const Plan& plan, int split) {
  if (steps_.divides(plan)) candidates_.push_back({plan, split, bound_of(plan)});
}

/// A micro-batch passes all layers; the others follow at the pace of the mean stage or slower.
/// Interleaving hides some of the first one's way, weight gradients that wait all of it.
Seconds Search::bound_of(const Plan& plan) {
  const double stages = plan.pipeline_parallel_size;
  const double first = traits_of(plan.schedule).splits_backward ? 0 : stages - 1;
  const double passes = plan.gradient_accumulation + first / plan.chunks_per_stage;
  return asked_.profile.model_factor * passes / stages * steps_.kernels(plan);
}

}  // namespace

BestPlan best_plan(const PlanSearch& asked) { return Search(asked).run(); }

}  // namespace simulation
}  // namespace tofn
