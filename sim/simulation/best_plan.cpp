#include "sim/simulation/best_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"
#include "sim/workload/compute_profile.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Samples that are longer may be split over ranks (assumed).
constexpr double long_sample = 32768;
constexpr int most_stages = 64;
constexpr std::array micro_batches{1, 2, 4, 8, 16};

struct Candidate {
  Plan plan;
  Seconds bound;  ///< that its arithmetic takes at least, with the bubble
};

class Search {
 public:
  explicit Search(const PlanSearch& asked)
      : asked_(asked), memory_(memory_profile(asked.model, asked.asked, asked.cluster)) {}

  BestPlan run();

 private:
  bool is_free(std::string_view name) const { return !asked_.is_fixed || !asked_.is_fixed(name); }
  /// The values of a size to try: doublings up to `most`, or what was asked for.
  std::vector<int> sizes(std::string_view name, int fixed, int most) const;
  void sharding(Plan);
  void batches(Plan);
  void recomputation(Plan);
  void add(Plan, const std::vector<LayerWork>&);
  Seconds bound_of(const Plan&, const std::vector<LayerWork>&) const;

  const PlanSearch& asked_;
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
  std::sort(fitting_.begin(), fitting_.end(),
            [](const Candidate& a, const Candidate& b) { return a.bound < b.bound; });
  Seconds shortest{std::numeric_limits<double>::infinity()};
  for (const Candidate& each : fitting_) {
    if (each.bound >= shortest) break;
    const Seconds time =
        closed_form(step_work(asked_.model, each.plan, asked_.cluster, asked_.profile)).total;
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
      const std::vector<LayerWork> layers = layer_work(asked_.model, whole);
      check_plan(whole, plan_limits(layers));
      ++tried_;
      const Footprint footprint = largest_footprint(layers, whole, memory_);
      const Bytes excess = Bytes{} - free_memory(footprint, asked_.cluster.accelerator);
      if (excess <= Bytes{}) return add(whole, layers);
      if (excess < least_excess_) {
        least_excess_ = excess;
        smallest_ = whole;
      }
    } catch (const InputError&) {
      return;  // it breaks a rule, or does not divide the model
    }
  }
}

void Search::add(Plan plan, const std::vector<LayerWork>& layers) {
  fitting_.push_back({plan, bound_of(plan, layers)});
  if (plan.pipeline_parallel_size == 1 || !is_free("chunks") || !is_free("schedule")) return;
  const int all = plan_limits(layers).layers.value_or(1);
  for (int chunks = 2; chunks <= all / plan.pipeline_parallel_size; chunks *= 2) {
    Plan interleaved = plan;
    interleaved.chunks_per_stage = chunks;
    try {
      check_plan(interleaved, plan_limits(layers));
      if (fits(largest_footprint(layers, interleaved, memory_), asked_.cluster.accelerator))
        fitting_.push_back({interleaved, bound_of(interleaved, layers)});
    } catch (const InputError&) {
      continue;
    }
  }
}

Seconds Search::bound_of(const Plan& plan, const std::vector<LayerWork>& layers) const {
  Flops matmul;
  for (const LayerWork& layer : layers)
    for (const PassWork* pass : {&layer.forward, &layer.backward, &layer.recompute})
      for (const Kernel& kernel : pass->kernels)
        if (kernel.arithmetic == Arithmetic::Matmul) matmul += layer.count * kernel.flops();
  const Accelerator& chip = asked_.cluster.accelerator;
  const PassPrecision precision =
      chip.computes_in(pass_precision(asked_precision(asked_.model, plan), plan.fp8_attention));
  const double stages = plan.pipeline_parallel_size;
  // Weight gradients that run apart leave a third where F = B = W (arXiv 2401.10241).
  const double filling = traits_of(plan.schedule).splits_backward ? 1.0 / 3 : 1;
  const double passes = plan.gradient_accumulation + filling * (stages - 1) / plan.chunks_per_stage;
  return ideal_time(matmul, Flops{}, chip, precision) * (passes / stages);
}

}  // namespace

BestPlan best_plan(const PlanSearch& asked) { return Search(asked).run(); }

}  // namespace simulation
}  // namespace tofn
