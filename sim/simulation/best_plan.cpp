#include "sim/simulation/best_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

constexpr Seconds never{std::numeric_limits<double>::infinity()};

/// What a rank does with one micro-batch: plans that differ in stages, replicas or shards share it,
/// but for tied embeddings on one stage and on two.
struct RankWork {
  std::vector<LayerWork> layers;
  Seconds kernels;  ///< of all layers, forward and backward
};

struct Candidate {
  Plan plan;
  int split = 0;
  Seconds bound;  ///< that its kernels take at least, with the bubble
  const RankWork* work = nullptr;
};

bool has_whole_samples(const Plan& plan) {
  return std::abs(plan.micro_batch - std::round(plan.micro_batch)) < 1e-9;
}

class Search {
 public:
  explicit Search(const PlanSearch& asked)
      : asked_(asked), memory_(memory_profile(asked.model, asked.asked, asked.cluster)) {}

  BestPlan run();

 private:
  void add(const Plan&, int split);
  /// Nothing where the plan does not divide the model.
  const RankWork* work_of(const Plan&);
  Seconds kernels_of(const std::vector<LayerWork>&, const Plan&) const;
  Seconds bound_of(const Plan&, const RankWork&) const;
  bool fits(const Candidate&);
  void choose(BestPlan&, bool whole_samples);

  using WorkKey = std::tuple<int, int, int, bool, bool, bool, Recompute, double>;
  const PlanSearch& asked_;
  MemoryProfile memory_;
  std::map<WorkKey, std::optional<RankWork>> works_;
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
    const Seconds time = closed_form(step_work(asked_.model, each.work->layers, each.plan,
                                               asked_.cluster, asked_.profile))
                             .total;
    if (time >= best.time) continue;
    best.time = time;
    best.plan = each.plan;
  }
}

bool Search::fits(const Candidate& candidate) {
  const Footprint footprint = largest_footprint(candidate.work->layers, candidate.plan, memory_);
  const Bytes excess = Bytes{} - free_memory(footprint, asked_.cluster.accelerator);
  if (excess < least_excess_) {
    least_excess_ = excess;
    smallest_ = candidate.plan;
  }
  return excess <= Bytes{};
}

void Search::add(const Plan& plan, int split) {
  if (const RankWork* work = work_of(plan))
    candidates_.push_back({plan, split, bound_of(plan, *work), work});
}

const RankWork* Search::work_of(const Plan& plan) {
  const WorkKey key{plan.tensor_parallel_size, plan.context_parallel_size,
                    plan.expert_parallel_size, plan.sequence_parallel,
                    plan.whole_experts,        ends_share_a_stage(plan),
                    plan.recompute,            plan.micro_batch};
  const auto [place, is_new] = works_.try_emplace(key);
  std::optional<RankWork>& work = place->second;
  if (is_new) try {
      work.emplace();
      work->layers =
          layer_work(asked_.model, computed_plan(plan, asked_.model, asked_.cluster.accelerator));
      work->kernels = kernels_of(work->layers, plan);
    } catch (const InputError&) {
      work.reset();
    }
  return work ? &*work : nullptr;
}

Seconds Search::kernels_of(const std::vector<LayerWork>& layers, const Plan& plan) const {
  const Accelerator& chip = asked_.cluster.accelerator;
  const PassPrecision precision =
      chip.computes_in(pass_precision(asked_precision(asked_.model, plan), plan.fp8_attention));
  Seconds sum;
  for (const LayerWork& layer : layers) {
    const double factor = layer.expert_parameters > 0 ? asked_.profile.mixture_factor.value : 1;
    for (const PassWork* pass : {&layer.forward, &layer.backward, &layer.recompute})
      for (const Kernel& kernel : pass->kernels)
        sum += layer.count * factor * kernel_time(kernel, precision, chip, asked_.profile);
  }
  return sum;
}

/// A micro-batch passes all layers; the others follow at the pace of the mean stage or slower.
/// Interleaving hides some of the first one's way, weight gradients that wait all of it.
Seconds Search::bound_of(const Plan& plan, const RankWork& work) const {
  const double stages = plan.pipeline_parallel_size;
  const double first = traits_of(plan.schedule).splits_backward ? 0 : stages - 1;
  const double passes = plan.gradient_accumulation + first / plan.chunks_per_stage;
  return asked_.profile.model_factor * passes / stages * work.kernels;
}

}  // namespace

BestPlan best_plan(const PlanSearch& asked) { return Search(asked).run(); }

}  // namespace simulation
}  // namespace tofn
