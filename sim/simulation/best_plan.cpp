#include "sim/simulation/best_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Relative error of the closed form against events, for stages of one chunk and for interleaved
/// chunks: 99 of 100 drawn steps lie nearer (closed_form_laws_test).
constexpr double plain_uncertainty = 0.01;
constexpr double chunks_uncertainty = 0.11;
/// Relative error for schedules that run weight gradients apart, one chunk a stage: the worst drawn
/// step.
constexpr double split_uncertainty = 0.06;
/// Relative error for plans that reduce gradients after every micro-batch (assumed: one drawn step
/// of plan_search_laws_test lay 1.4 % off).
constexpr double reducing_uncertainty = 0.02;
/// Number of plans that run by events at most, the shortest by the closed form first.
constexpr std::size_t most_by_events = 32;
/// Number of such plans once a step lay farther from its closed form than its uncertainty allows.
constexpr std::size_t most_where_far = 128;
/// Factor by which the closed form falls short of events at most, if chunks exchange over slow
/// links (assumed). Plans of one chunk are passed over only beyond this factor.
constexpr double most_short = 2;
/// Number of plans of one chunk that run by events at least.
constexpr std::size_t least_plain = 4;

struct Candidate {
  Plan plan;
  int split = 0;
  Seconds bound{};  ///< lower bound of the step time
  RankWork* rank = nullptr;
  const LayerLengths* lengths = nullptr;
};

/// A plan that fits the memory.
struct Contender {
  const Candidate* candidate;
  Seconds closed_form;
  Seconds ranked;
};

/// Uncertainty of the closed form, as a factor of at least 1.
double uncertainty_of(const Contender& contender) {
  const Plan& plan = contender.candidate->plan;
  if (plan.chunks_per_stage > 1) return 1 + chunks_uncertainty;
  if (reduces_each_micro_batch(plan)) return 1 + reducing_uncertainty;
  const bool splits = plan.pipeline_parallel_size > 1 && traits_of(plan.schedule).splits_backward;
  return 1 + (splits ? split_uncertainty : plain_uncertainty);
}

class PlanSearcher {
 public:
  PlanSearcher(const PlanSearch& request, PlanSteps& steps)
      : request_(request),
        steps_(steps),
        limits_(plan_limits(layer_work(request.model, {.precision = request.request.precision}))),
        factor_(
            request.profile.factor_on(request.cluster.accelerator, has_experts(request.model))) {}

  BestPlan run();

 private:
  void add(const Plan&, int split);
  std::string why_none(const std::string& stack_lacks) const;
  Seconds mean_bound(const Plan&, const LayerLengths&) const;
  Seconds longest_way(const Candidate&) const;
  void visit_free_memory(const Candidate&, const std::function<bool(Bytes)>& visit);
  bool fits(const Candidate&);
  const Plan& smallest();
  std::vector<Contender> contenders(bool whole_samples);
  bool any_whole_fits();
  void choose(BestPlan&, std::vector<Contender>);

  const PlanSearch& request_;
  PlanSteps& steps_;
  PlanLimits limits_;
  double factor_;  ///< by which the chip lengthens the model's kernels
  int tried_ = 0;
  std::vector<Candidate> candidates_;  ///< plans whose lower bound is short enough
  std::vector<const Candidate*> by_bound_;
  std::string refusal_;    ///< why the model does not allow the first plan that it refuses
  bool any_fits_ = false;  ///< true if a plan tried so far fits the memory
};

BestPlan PlanSearcher::run() {
  const std::string lacks =
      visit_plans(request_, limits_, [&](const Plan& plan, int split) { add(plan, split); });
  if (tried_ == 0) throw InputError("no plan splits this job: " + why_none(lacks));
  for (const Candidate& each : candidates_) by_bound_.push_back(&each);
  std::ranges::stable_sort(by_bound_,
                           [](const auto* a, const auto* b) { return a->bound < b->bound; });
  BestPlan best{.plan = {}, .time = request_.to_beat, .tried = tried_};
  choose(best, contenders(true));
  if (!best.fits && !any_whole_fits()) choose(best, contenders(false));
  if (!best.fits && request_.to_beat == nothing_to_beat) best.plan = smallest();
  return best;
}

/// Says why no plan splits the job.
std::string PlanSearcher::why_none(const std::string& stack_lacks) const {
  if (!refusal_.empty()) return refusal_;
  if (!stack_lacks.empty()) return fmt::format("stack {} {}", request_.profile.name, stack_lacks);
  Plan stated = request_.request;
  const auto is_fixed = [&](std::string_view name) {
    return request_.is_fixed && request_.is_fixed(name);
  };
  if (!is_fixed("gradient_accumulation")) stated.gradient_accumulation = 1;
  try {
    stated = make_plan(stated, request_.accelerators, request_.global_batch);
    layer_work(request_.model, stated);
    check_plan(stated, plan_limits(layer_work(request_.model, stated)));
  } catch (const InputError& error) {
    return error.what();
  }
  const int replicas = stated.data_parallel_size;
  const double unit = replicas * (is_fixed("micro_batch") ? request_.request.micro_batch : 1);
  const double passes = request_.global_batch / unit;
  if (is_fixed("tp") && is_fixed("pp") && is_fixed("cp") && passes != std::floor(passes))
    return fmt::format(
        "a batch of {:g} gives {} replicas no whole micro-batches: {:g} or {:g} would",
        request_.global_batch, replicas, std::max(1.0, std::floor(passes)) * unit,
        std::max(2.0, std::ceil(passes)) * unit);
  return "no tp, pp and dp divide the model, the accelerators and the batch";
}

/// True if any plan of whole micro-batches fits, even one that is not short enough: plans of
/// partial micro-batches are then not considered.
bool PlanSearcher::any_whole_fits() {
  const bool has_others = std::ranges::any_of(
      candidates_, [](const Candidate& each) { return !each.plan.has_whole_samples(); });
  if (has_others && request_.to_beat < nothing_to_beat)
    visit_plans(request_, limits_, [&](const Plan& plan, int) {
      if (any_fits_ || !plan.has_whole_samples()) return;
      RankWork& rank = steps_.rank(plan);
      if (rank.refusal.empty()) fits({.plan = plan, .rank = &rank});
    });
  return any_fits_;
}

/// Plans that may be the shortest by events, of whole micro-batches or of the others.
std::vector<Contender> PlanSearcher::contenders(bool whole_samples) {
  std::vector<Contender> found;
  std::set<int> held;  // splits with a plan that fits: more recomputation only takes longer
  Seconds shortest = request_.to_beat;
  Seconds shortest_plain = request_.to_beat;
  for (const Candidate* each : by_bound_) {
    const Seconds most_plain = std::min(shortest_plain, most_short * shortest);
    if (each->bound >= most_plain) break;
    const bool is_plain = each->plan.chunks_per_stage == 1;
    const Seconds most = is_plain ? most_plain : shortest;
    if (each->plan.has_whole_samples() != whole_samples || held.contains(each->split)) continue;
    if (request_.ranked(each->plan, longest_way(*each)) >= most || !fits(*each)) continue;
    held.insert(each->split);
    const StepWork work = steps_.work(each->plan, *each->rank);
    const Seconds step = closed_form(work).total;
    found.push_back({each, step, request_.ranked(each->plan, step, &work)});
    const Seconds longest = uncertainty_of(found.back()) * found.back().ranked;
    shortest = std::min(shortest, longest);
    if (is_plain) shortest_plain = std::min(shortest_plain, longest);
  }
  std::ranges::stable_sort(found, {}, &Contender::ranked);
  return found;
}

void PlanSearcher::choose(BestPlan& best, std::vector<Contender> of) {
  std::size_t plain = 0;
  std::size_t most = most_by_events;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const Contender& each = of[i];
    const Plan& plan = each.candidate->plan;
    const bool is_plain = plan.chunks_per_stage == 1;
    if (i >= most && (!is_plain || plain >= least_plain)) continue;
    plain += is_plain;
    if (each.ranked / uncertainty_of(each) >= best.time) continue;
    const Seconds far = uncertainty_of(each) * each.closed_form;
    const StepWork work = steps_.work(plan, *each.candidate->rank);
    const auto step = simulate_up_to(work, std::max(best.time, far));
    if (!step || step->total > far) most = most_where_far;
    const Seconds time = step ? request_.ranked(plan, step->total, &work) : nothing_to_beat;
    if (time >= best.time) continue;
    best.fits = true;
    best.time = time;
    best.plan = plan;
  }
}

/// Calls `visit` with the free memory of each stage until it returns false.
void PlanSearcher::visit_free_memory(const Candidate& candidate,
                                     const std::function<bool(Bytes)>& visit) {
  const Plan& plan = candidate.plan;
  visit_footprints(candidate.rank->layers, steps_.placed(plan, *candidate.rank), plan,
                   memory_profile(request_.model, plan, request_.cluster, request_.profile),
                   [&](const Footprint& stage) {
                     return visit(free_memory(stage, request_.cluster.accelerator));
                   });
}

bool PlanSearcher::fits(const Candidate& candidate) {
  bool fits = true;
  visit_free_memory(candidate, [&](Bytes left) { return fits = left >= Bytes{}; });
  any_fits_ |= fits;
  return fits;
}

/// Returns the plan that misses the memory by least; of equal ones, one of whole micro-batches.
const Plan& PlanSearcher::smallest() {
  const Candidate* smallest = nullptr;
  Bytes most_left{-std::numeric_limits<double>::infinity()};
  for (const bool whole_samples : {true, false})
    for (const Candidate* each : by_bound_) {
      if (each->plan.has_whole_samples() != whole_samples) continue;
      Bytes least{std::numeric_limits<double>::infinity()};
      visit_free_memory(*each, [&](Bytes left) {
        least = std::min(least, left);
        return least > most_left;
      });
      if (least <= most_left) continue;
      most_left = least;
      smallest = each;
    }
  return smallest->plan;
}

void PlanSearcher::add(const Plan& plan, int split) {
  RankWork& rank = steps_.rank(plan);
  if (!rank.refusal.empty()) {
    if (refusal_.empty()) refusal_ = rank.refusal;
    return;
  }
  ++tried_;
  const LayerLengths& lengths = steps_.lengths(plan, rank);
  const Seconds bound = request_.ranked(plan, mean_bound(plan, lengths));
  if (bound < request_.to_beat) candidates_.push_back({plan, split, bound, &rank, &lengths});
}

/// One micro-batch passes all layers, and the others follow at the pace of the mean stage or
/// slower. Interleaving hides part of the first one's way; deferred weight gradients hide all of
/// it.
Seconds PlanSearcher::mean_bound(const Plan& plan, const LayerLengths& lengths) const {
  const double stages = plan.pipeline_parallel_size;
  const double first = traits_of(plan.schedule).splits_backward ? 0 : stages - 1;
  const double passes = plan.gradient_accumulation + first / plan.chunks_per_stage;
  return factor_ * passes / stages * lengths.all;
}

/// A stage begins when the first micro-batch reaches it, and then passes them all. The last one
/// still has to return through the stages before it.
Seconds PlanSearcher::longest_way(const Candidate& candidate) const {
  const Plan& plan = candidate.plan;
  const PlacedLayers& placed = steps_.placed(plan, *candidate.rank);
  const auto add = [&](LayerLength& sum, int virtual_stage) {
    for (const LayerShare& share : placed[static_cast<std::size_t>(virtual_stage)])
      for (const auto length : {&LayerLength::forward, &LayerLength::back, &LayerLength::all})
        sum.*length += share.count * candidate.lengths->of_one[share.layer].*length;
  };
  const int count = plan.gradient_accumulation;
  Seconds bound;
  LayerLength above;
  for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage) {
    LayerLength own;
    for (int chunk = 0; chunk < plan.chunks_per_stage; ++chunk)
      add(own, virtual_stage(plan, {stage, chunk}));
    const Seconds passed_up = count * (own.forward + own.back) + above.back;
    bound = std::max(bound, above.forward + std::max(count * own.all, passed_up));
    add(above, virtual_stage(plan, {stage, 0}));
  }
  return factor_ * bound;
}

}  // namespace

BestPlan best_plan(const PlanSearch& request, PlanSteps& steps) {
  return PlanSearcher(request, steps).run();
}

BestPlan best_plan(const PlanSearch& request) {
  PlanSteps steps(request.model, request.cluster, request.profile);
  return best_plan(request, steps);
}

}  // namespace simulation
}  // namespace tofn
