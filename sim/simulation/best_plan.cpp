#include "sim/simulation/best_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/simulation/plan_steps.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Samples that are longer may be split over ranks (assumed).
constexpr double long_sample = 32768;
constexpr int most_stages = 64;
constexpr std::array micro_batches{1, 2, 4, 8, 16};

struct Candidate {
  Plan plan;
  Seconds bound;  ///< that its kernels take at least, with the bubble

  bool has_whole_samples() const {
    return std::abs(plan.micro_batch - std::round(plan.micro_batch)) < 1e-9;
  }
};

class Search {
 public:
  explicit Search(const PlanSearch& asked)
      : asked_(asked),
        steps_(asked.model, asked.cluster, asked.profile),
        memory_(memory_profile(asked.model, asked.asked, asked.cluster)) {}

  BestPlan run();

 private:
  bool is_free(std::string_view name) const { return !asked_.is_fixed || !asked_.is_fixed(name); }
  /// The values of a size to try: doublings up to `most`, or what was asked for.
  std::vector<int> sizes(std::string_view name, int fixed, int most) const;
  void sharding(Plan);
  void batches(Plan);
  void recomputation(Plan);
  void add(const Plan&, const RankLayers&);
  Seconds bound_of(const Plan&);

  const PlanSearch& asked_;
  PlanSteps steps_;
  MemoryProfile memory_;
  std::vector<Candidate> fitting_;
  std::optional<Plan> smallest_;
  Bytes least_excess_{std::numeric_limits<double>::infinity()};
  int tried_ = 0;
};

std::vector<int> Search::sizes(std::string_view name, int fixed, int most) const {
  if (!is_free(name)) return {fixed};
  std::vector<int> all;
  for (int size = 1; size <= most; size *= 2) all.push_back(size);
  return all;
}

int largest_expert_count(const Model& model) {
  int most = 1;
  for (const ModelPart& part : model.parts)
    if (const auto* layers = std::get_if<TransformerLayers>(&part.shape); layers != nullptr)
      most = std::max(most, layers->experts);
  return most;
}

bool has_transformer(const Model& model) {
  return std::any_of(model.parts.begin(), model.parts.end(), [](const ModelPart& part) {
    return std::holds_alternative<TransformerLayers>(part.shape);
  });
}

BestPlan Search::run() {
  const bool splits = has_transformer(asked_.model);
  const int domain = splits ? asked_.cluster.scale_up.domain_accelerators.value : 1;
  const int stages = splits ? std::min(most_stages, asked_.accelerators) : 1;
  const int longest = asked_.model.sequence_length >= long_sample
                          ? static_cast<int>(asked_.model.sequence_length / 8192)
                          : 1;
  const Plan& fixed = asked_.asked;
  for (const int tp : sizes("tp", fixed.tensor_parallel_size, domain))
    for (const int pp : sizes("pp", fixed.pipeline_parallel_size, stages))
      for (const int cp : sizes("cp", fixed.context_parallel_size, longest))
        for (const int ep :
             sizes("ep", fixed.expert_parallel_size, largest_expert_count(asked_.model))) {
          if (asked_.accelerators % (tp * pp * cp) != 0) continue;
          Plan plan = fixed;
          plan.tensor_parallel_size = tp;
          plan.pipeline_parallel_size = pp;
          if (is_free("chunks") && pp > 1)
            plan.chunks_per_stage =
                std::max(plan.chunks_per_stage, traits_of(plan.schedule).chunks.least);
          plan.context_parallel_size = cp;
          plan.expert_parallel_size = ep;
          plan.data_parallel_size = asked_.accelerators / (tp * pp * cp);
          if (is_free("sequence_parallel")) plan.sequence_parallel = tp > 1;
          sharding(plan);
        }
  BestPlan best{.plan = smallest_.value_or(fixed), .fits = !fitting_.empty(), .tried = tried_};
  if (!smallest_ && fitting_.empty())
    throw InputError(
        "no plan splits this job: no tp, pp and dp divide the model, the accelerators and the "
        "batch");
  if (std::any_of(fitting_.begin(), fitting_.end(), std::mem_fn(&Candidate::has_whole_samples)))
    std::erase_if(fitting_, std::not_fn(std::mem_fn(&Candidate::has_whole_samples)));
  std::sort(fitting_.begin(), fitting_.end(),
            [](const Candidate& a, const Candidate& b) { return a.bound < b.bound; });
  Seconds shortest{std::numeric_limits<double>::infinity()};
  for (const Candidate& each : fitting_) {
    if (each.bound >= shortest) break;
    const Seconds time = closed_form(steps_.work(each.plan)).total;
    if (time >= shortest) continue;
    shortest = time;
    best.plan = each.plan;
  }
  return best;
}

void Search::sharding(Plan plan) {
  if (!is_free("sharded")) return batches(plan);
  const bool has_replicas = gradient_ranks(plan).count > 1;
  plan.sharded = has_replicas ? Sharded::Optimizer : Sharded::Nothing;
  if (has_replicas && plan.data_overlap && is_free("parameter_overlap"))
    plan.parameter_overlap = true;
  batches(plan);
  if (!has_replicas || plan.pipeline_parallel_size > 1) return;
  plan.sharded = Sharded::Parameters;
  plan.parameter_overlap = asked_.asked.parameter_overlap;
  batches(plan);
}

void Search::batches(Plan plan) {
  const double per_replica = asked_.global_batch / plan.data_parallel_size;
  if (!is_free("micro_batch") || !is_free("gradient_accumulation")) {
    const double asked = plan.gradient_accumulation * asked_.asked.micro_batch;
    if (!is_free("micro_batch") && !is_free("gradient_accumulation") &&
        std::abs(asked - per_replica) > 1e-9 * per_replica)
      return;  // the two say another batch
    if (is_free("gradient_accumulation"))
      plan.gradient_accumulation =
          static_cast<int>(std::ceil(per_replica / asked_.asked.micro_batch - 1e-9));
    return recomputation(plan);
  }
  int last = 0;
  for (const int samples : micro_batches) {
    plan.gradient_accumulation = static_cast<int>(std::max(1.0, std::ceil(per_replica / samples)));
    if (plan.gradient_accumulation == last) break;
    last = plan.gradient_accumulation;
    recomputation(plan);
  }
}

/// The least that fits: more of it only takes time.
void Search::recomputation(Plan plan) {
  for (const auto& [name, recompute] : recompute_names) {
    if (is_free("recompute"))
      plan.recompute = recompute;
    else if (plan.recompute != recompute)
      continue;
    try {
      const Plan whole = make_plan(plan, asked_.accelerators, asked_.global_batch);
      const RankLayers& rank = steps_.layers(whole);
      check_plan(whole, rank.limits);
      ++tried_;
      const Footprint footprint = largest_footprint(rank.layers, whole, memory_);
      const Bytes excess = Bytes{} - free_memory(footprint, asked_.cluster.accelerator);
      if (excess <= Bytes{}) return add(whole, rank);
      if (excess < least_excess_) {
        least_excess_ = excess;
        smallest_ = whole;
      }
    } catch (const InputError&) {
      return;  // it breaks a rule, or does not divide the model
    }
  }
}

void Search::add(const Plan& plan, const RankLayers& rank) {
  fitting_.push_back({plan, bound_of(plan)});
  if (plan.pipeline_parallel_size == 1 || !is_free("chunks") || !is_free("schedule")) return;
  const int all = rank.limits.layers.value_or(1);
  for (int chunks = 2; chunks <= all / plan.pipeline_parallel_size; chunks *= 2) {
    Plan interleaved = plan;
    interleaved.chunks_per_stage = chunks;
    try {
      check_plan(interleaved, rank.limits);
      if (fits(largest_footprint(rank.layers, interleaved, memory_), asked_.cluster.accelerator))
        fitting_.push_back({interleaved, bound_of(interleaved)});
    } catch (const InputError&) {
      continue;
    }
  }
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
